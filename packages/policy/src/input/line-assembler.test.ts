import { describe, expect, it } from "vitest";
import { type AssemblerState, assembleInput, emptyLine } from "./line-assembler.ts";

function type(...writes: string[]) {
  let state: AssemblerState = emptyLine;
  const events = [];
  for (const write of writes) {
    const assembled = assembleInput(state, write);
    if (!assembled.ok) return { refused: assembled.reason };
    state = assembled.state;
    events.push(...assembled.events);
  }
  return { events, line: state.line };
}

describe("input", () => {
  it("P60 assembles a line from pieces", () => {
    expect(type("r", "m -r", "f /", "\r")).toEqual({ events: [{ type: "line", text: "rm -rf /" }], line: "" });
  });

  it("P61 CR and LF are Enter, Ctrl-U and DEL edit, Ctrl-C drops the line", () => {
    expect(type("a\rb\n")).toMatchObject({ events: [{ text: "a" }, { text: "b" }] });
    expect(type("echo ok\u0015rm x\r")).toMatchObject({ events: [{ text: "rm x" }] });
    expect(type("rmx\u007f y\r")).toMatchObject({ events: [{ text: "rm y" }] });
    expect(type("ls one\u0017two\r")).toMatchObject({ events: [{ text: "ls two" }] });
    expect(type("half\u0003ls\r")).toEqual({ events: [{ type: "interrupt" }, { type: "line", text: "ls" }], line: "" });
  });

  it("P62 a paste keeps its line breaks until Enter, and ends at its end marker", () => {
    expect(type("\u001b[200~a\rb", "\u001b[201~\r")).toEqual({ events: [{ type: "line", text: "a\nb" }], line: "" });
    expect(type("\u001b[200~a\u001b[201~\rrm x\r")).toMatchObject({ events: [{ text: "a" }, { text: "rm x" }] });
  });

  it("P63 keys that cannot be judged are refused", () => {
    for (const key of ["\u001b[A", "\t", "\u0012", "\u0001", "\u001a", "x\u0004"])
      expect(type(key)).toHaveProperty("refused");
    expect(type("\u0004")).toEqual({ events: [{ type: "end-of-input" }], line: "" });
  });
});
