import { expect, test } from "vitest";
import { diffWords } from "./diff-words.ts";

const shown = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`))
    .join("");

test.each([
  ["a changed word", "rm -r build", "rm -r dist", "rm -r [-build-]{+dist+}"],
  ["an added option", "git push", "git push --dry-run", "git push{+ --dry-run+}"],
  ["something taken away", "rm -rf build && make", "make", "[-rm -rf build && -]make"],
  ["two texts with little in common", "one-two-three", "alpha/beta", "[-one-two-three-]{+alpha/beta+}"],
  ["nothing", "ls", "ls", "ls"],
  ["everything", "", "ls", "{+ls+}"],
])("W3 an edit shows %s", (_what, before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

test("W3 the diff of a very long command still contains every character of both", () => {
  const before = "word ".repeat(2_000);
  const after = "other ".repeat(2_000);

  const pieces = diffWords(before, after);

  expect(pieces).toEqual([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
});
