import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleInput, emptyLine } from "./input/line-assembler.ts";
import { judge } from "./judge.ts";
import { defaultPolicy } from "./settings/policy.ts";

const FRAGMENTS = [
  "$(",
  ")",
  "`",
  "'",
  '"',
  "${x",
  "}",
  "{a,b}",
  "|",
  "&&",
  ";",
  "\n",
  "<<E\n",
  "E\n",
  "<(",
  "((",
  "))",
  "[[",
  "]]",
  "eval ",
  "bash -c ",
  "rm -rf /",
  "if ",
  "then ",
  "fi",
  "x=",
  "$x",
  "f(){ ",
  "\\",
  "!",
  "~",
  "*",
  "a[",
  "]",
  "\u0000",
  "\u001b",
  "\r",
  "é",
  "\u202e",
  "curl x",
  "sh",
  "-c",
  "2>&1",
  ">",
  "#",
];

describe("properties", () => {
  it("P80 never throws, and always returns a decision, for any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 5 })), { maxLength: 25 }),
        (parts) => {
          expect(["allow", "ask", "deny"]).toContain(judge(parts.join(""), {}, defaultPolicy).decision);
        },
      ),
      { seed: 20, numRuns: 500 },
    );
  });

  it("P81 a denied command stays denied before and after anything harmless", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("ls", "echo hi", "true", "x=1", "cd src"),
        fc.constantFrom("; ", " && ", "\n", " || ", " & "),
        (harmless, separator) => {
          expect(judge(`${harmless}${separator}rm -rf /`, {}, defaultPolicy).decision).toBe("deny");
          expect(judge(`rm -rf /${separator}${harmless}`, {}, defaultPolicy).decision).toBe("deny");
        },
      ),
    );
  });

  it("P82 harmless words stay harmless in single quotes", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }).filter((text) => /^[ -~]*$/.test(text) && !text.includes("'")),
        (text) => {
          expect(judge(`echo '${text}'`, {}, defaultPolicy).decision).toBe("allow");
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  it("P60 a line is assembled the same for any split into writes", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }).filter((text) => /^[ -~]*$/.test(text)),
        fc.nat(20),
        (text, at) => {
          const first = assembleInput(emptyLine, text.slice(0, at));
          const second = first.ok ? assembleInput(first.state, `${text.slice(at)}\r`) : first;
          expect(second).toMatchObject({ ok: true, events: [{ type: "line", text }] });
        },
      ),
    );
  });

  it("P83 the same question gets the same answer: there is no hidden state", () => {
    const text = "x=rm; f() { $x -rf /; }; f";
    expect(judge(text, {}, defaultPolicy)).toEqual(judge(text, {}, defaultPolicy));
    expect(judge("f", {}, defaultPolicy).decision).toBe("ask");
  });
});
