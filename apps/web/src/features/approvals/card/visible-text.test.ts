import { expect, test } from "vitest";
import { inOrder, piecesOf } from "./visible-text.ts";

const shown = (text: string, spans: { start: number; end: number }[] = []) =>
  piecesOf(text, spans)
    .map(({ text: piece, isRisky, isHidden }) => (isHidden ? `{${piece}}` : isRisky ? `[${piece}]` : piece))
    .join("");

test("W3 the parts that a rule fired on are marked", () => {
  expect(shown("ls && rm -r build", [{ start: 6, end: 17 }])).toBe("ls && [rm -r build]");
});

test.each([
  ["a right-to-left override", "echo \u202eabc", "echo {<U+202E>}abc"],
  ["a zero-width space", "rm\u200b -rf", "rm{<U+200B>} -rf"],
  ["an escape", "echo \u001b[2J", "echo {^[}[2J"],
  ["a no-break space", "rm\u00a0-r", "rm{<U+00A0>}-r"],
  ["a tab", "a\tb", "a{^I}b"],
  ["a line break is kept", "a\nb", "a\nb"],
])("W3 %s is made visible", (_what, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("W3 spans count UTF-16 units, even after characters that take two", () => {
  expect(shown("echo 😀 rm x", [{ start: 8, end: 12 }])).toBe("echo 😀 [rm x]");
});

test("S14 words of right-to-left scripts stand by themselves, in the order in which the shell reads them", () => {
  const shownWords = (text: string) =>
    inOrder(text).map(({ text: word, isRightToLeft }) => (isRightToLeft ? [word] : word));

  expect(shownWords("echo plain")).toEqual(["echo plain"]);
  expect(shownWords("שלום && rm עולם 12")).toEqual([["שלום"], " && rm ", ["עולם"], " 12"]);
  expect(shownWords("cat \u0627\u0644; x")).toEqual(["cat ", ["\u0627\u0644"], "; x"]);
});
