import { describe, expect, it } from "vitest";
import { readLineRange, searchLines } from "./read-lines.ts";

const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");

describe("D6 the whole stays readable by line", () => {
  it("D6 gives a range, both ends included", () => {
    expect(readLineRange(text, { fromLine: 10, toLine: 12, maxChars: 1_000 })).toEqual({
      fromLine: 10,
      toLine: 12,
      text: "line 10\nline 11\nline 12",
      totalLines: 100,
      nextLine: null,
    });
  });

  it("D6 stops at the limit, and says where to continue", () => {
    expect(readLineRange(text, { fromLine: 10, toLine: 99, maxChars: 20 })).toMatchObject({ toLine: 11, nextLine: 12 });
  });

  it("D6 always makes progress, even over a line that is too long", () => {
    const long = `${"x".repeat(50)}\nnext`;

    expect(readLineRange(long, { fromLine: 1, toLine: 9, maxChars: 10 })).toMatchObject({
      text: "x".repeat(10),
      nextLine: 2,
    });
  });

  it("D6 is empty past the end", () => {
    expect(readLineRange(text, { fromLine: 200, toLine: 300, maxChars: 10 })).toMatchObject({
      text: "",
      nextLine: null,
    });
  });
});

describe("D6 the whole stays readable by search", () => {
  it("D6 finds lines ignoring case, and counts those it does not show", () => {
    expect(searchLines(text, { query: "LINE 1", maxMatches: 2, maxLineChars: 100 })).toEqual({
      matches: [
        { line: 1, text: "line 1" },
        { line: 10, text: "line 10" },
      ],
      totalMatches: 12,
      totalLines: 100,
    });
  });

  it("D6 takes the query literally", () => {
    expect(searchLines("a.c\nabc", { query: "a.c", maxMatches: 9, maxLineChars: 9 }).matches).toEqual([
      { line: 1, text: "a.c" },
    ]);
  });

  it("D6 shows what it found in a long line", () => {
    const [match] = searchLines(`${"-".repeat(500)}needle${"-".repeat(500)}`, {
      query: "needle",
      maxMatches: 1,
      maxLineChars: 40,
    }).matches;

    expect(match?.text).toBe(`…${"-".repeat(10)}needle${"-".repeat(24)}…`);
  });
});
