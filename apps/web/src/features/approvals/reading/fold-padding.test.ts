import { expect, test } from "vitest";
import { findPadding } from "./fold-padding.ts";

test("S14 empty lines, wide gaps and blocks of comments are folded and labelled", () => {
  const fold = (text: string) => findPadding(text, []).map(({ words }) => words);

  expect(fold(`echo a${"\n".repeat(200)}rm x`)).toEqual(["199 empty lines"]);
  expect(fold(`echo a${" \n".repeat(50)}rm x`)).toEqual(["49 empty lines"]);
  expect(fold(`echo a;${" ".repeat(400)}rm x`)).toEqual(["400 spaces"]);
  expect(fold(`echo a\n${"# all is well\n".repeat(60)}rm x`)).toEqual(["60 lines of comments"]);
  expect(fold("a\n\nb\n# one\n# two\nc    d")).toEqual([]);
});

test.each([
  ["tabs", `echo a;${"\t".repeat(80)}rm x`, "80 spaces"],
  ["spaces that do not break", `echo a;${"\u00a0".repeat(80)}rm x`, "80 spaces"],
  ["wide spaces", `echo a;${"\u3000".repeat(40)}rm x`, "40 spaces"],
  ["carriage returns", `echo a;${"\r".repeat(60)}rm x`, "60 spaces"],
  ["lines with only a carriage return", `echo a${"\r\n".repeat(60)}rm x`, "59 empty lines"],
  ["zero-width characters", `echo a;${"\u200b".repeat(60)}rm x`, "60 invisible characters"],
  ["empty braille cells", `echo a;${"\u2800".repeat(60)}rm x`, "60 invisible characters"],
  ["joiners and marks of direction", `echo a;${"\u200d\u200e\u2060".repeat(20)}rm x`, "60 invisible characters"],
  ["tags, which the policy calls invisible", `echo a;${"\u{e0020}".repeat(60)}rm x`, "60 invisible characters"],
  ["continued lines", `echo a \\\n${"\\\n".repeat(60)}; rm x`, "61 continued empty lines"],
  ["a chain of true", `echo a${" && true".repeat(60)} && rm x`, "60 commands that do nothing"],
  ["a list of colons", `echo a${"; :".repeat(60)}; rm x`, "60 commands that do nothing"],
  ["a line for each colon", `echo a${"\n:".repeat(60)}\nrm x`, "60 commands that do nothing"],
  [
    "a text that is not read",
    `echo a; : '${"all is well ".repeat(20)}'; rm x`,
    "a text of 245 characters that no program reads",
  ],
])("S14 %s are folded", (_what, text, words) => {
  const folded = findPadding(text, []);

  expect(folded.map((padding) => padding.words)).toEqual([words]);
  expect(text.slice(folded[0]?.end)).toContain("rm x");
});

test.each([
  ["directives of C", "cat > a.c <<E\n#include <a.h>\n#define run system\n#if 1\nE"],
  ["what a double-quoted text runs", `: "${"x".repeat(200)}$(rm x)"`],
  ["a program whose name begins like one that does nothing", `echo a${"; truefoo".repeat(20)}`],
  ["a few of them", "a && true; :\nb"],
])("S14 %s are not folded", (_what, text) => {
  expect(findPadding(text, [])).toEqual([]);
});

test("S14 parts that a rule fired on are never folded", () => {
  const text = `echo a;${" ".repeat(400)}rm x`;

  expect(findPadding(text, [{ start: 10, end: text.length }])).toEqual([]);
});

test("S14 a long text of nothing but padding is folded too, before the test's time is over", () => {
  const long = ["\\\n", "; :", " &&", ": '", "\t", "\u200b", "\n#include"].map((piece) => piece.repeat(16_000));

  for (const text of long) expect(findPadding(text, [])).toBeInstanceOf(Array);
  expect(findPadding(" \n".repeat(16_000) + "#".repeat(32_000), []).length).toBeGreaterThan(0);
});
