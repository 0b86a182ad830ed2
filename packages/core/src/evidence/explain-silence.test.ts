import { describe, expect, it } from "vitest";
import { explainSilence, type Situation } from "./explain-silence.ts";

const cooked = { echo: true, canonical: true };
const hidden = { echo: false, canonical: true };
const raw = { echo: false, canonical: false };

function judge(view: Situation["view"], overrides: Partial<Situation> = {}) {
  const judgement = explainSilence({
    view,
    isFullscreen: false,
    lastLine: "",
    silentMs: 100,
    leader: "shell",
    ...overrides,
  });
  return "evidence" in judgement ? `${judgement.kind} by ${judgement.evidence}` : judgement;
}

describe("D2 what a silent terminal waits for", () => {
  it.each([
    ["no kernel to ask", null, {}, "nothing by silence"],
    ["a program that computes", { foreground: "other", use: "neither", modes: null }, {}, "nothing by kernel"],
    ["a program that reads", { foreground: "other", use: "reads", modes: cooked }, {}, "input by kernel"],
    ["a password prompt", { foreground: "other", use: "reads", modes: hidden }, {}, "secret by kernel"],
    ["sudo, which cannot be inspected", { foreground: "other", use: "unknown", modes: hidden }, {}, "secret by kernel"],
    ["another's program", { foreground: "other", use: "unknown", modes: cooked }, {}, "nothing by silence"],
    ["a REPL that just printed", { foreground: "other", use: "polls", modes: raw }, {}, "nothing by kernel"],
    ["a REPL", { foreground: "other", use: "polls", modes: raw }, { silentMs: 1000 }, "input by kernel"],
    [
      "a raw password prompt",
      { foreground: "other", use: "reads", modes: raw },
      { lastLine: "Password: " },
      "secret by kernel",
    ],
    ["an editor", { foreground: "other", use: "reads", modes: raw }, { isFullscreen: true }, "fullscreen by kernel"],
    [
      "a monitor that sleeps",
      { foreground: "other", use: "neither", modes: null },
      { isFullscreen: true },
      "fullscreen by kernel",
    ],
    [
      "a program that the terminal began with",
      { foreground: "leader", use: "reads", modes: cooked },
      { leader: "program" },
      "input by kernel",
    ],
  ] as const)("%s", (_, view, overrides, expected) => expect(judge(view, overrides)).toBe(expected));

  it("a program that repaints every few seconds does not count as waiting in between", () => {
    const top: Situation = {
      view: { foreground: "other", use: "polls", modes: raw },
      isFullscreen: false,
      lastLine: "",
      silentMs: 3000,
      leader: "shell",
    };

    expect(explainSilence(top)).toEqual({ kind: "input", evidence: "kernel", isBrief: true });
    expect(explainSilence({ ...top, silentMs: 6000 })).toEqual({ kind: "input", evidence: "kernel" });
  });

  it("a reading shell is left to its driver to judge", () => {
    expect(judge({ foreground: "leader", use: "reads", modes: raw })).toEqual({
      kind: "shell-reads",
      isEditing: true,
      hidesInput: false,
    });
  });
});
