import { expect, test } from "vitest";
import { findPadding } from "./fold-padding.ts";

test("row 14: empty lines, wide gaps and blocks of comments are folded and labelled", () => {
  const fold = (text: string) => findPadding(text, []).map(({ words }) => words);

  expect(fold(`echo a${"\n".repeat(200)}rm x`)).toEqual(["199 empty lines"]);
  expect(fold(`echo a${" \n".repeat(50)}rm x`)).toEqual(["49 empty lines"]);
  expect(fold(`echo a;${" ".repeat(400)}rm x`)).toEqual(["400 spaces"]);
  expect(fold(`echo a\n${"# all is well\n".repeat(60)}rm x`)).toEqual(["60 lines of comments"]);
  expect(fold("a\n\nb\n# one\n# two\nc    d")).toEqual([]);
});

test("row 14: parts that a rule fired on are never folded", () => {
  const text = `echo a;${" ".repeat(400)}rm x`;

  expect(findPadding(text, [{ start: 10, end: text.length }])).toEqual([]);
});

test("row 14: a long text is folded quickly", () => {
  const startedAt = performance.now();
  findPadding(" \n".repeat(16_000) + "#".repeat(32_000), []);

  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
