import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SUMMARY_LIMITS, SESSIONS_SUMMARY_LIMITS, summarise } from "./summary.ts";

const numbered = (count: number, filler = "") =>
  Array.from({ length: count }, (_, index) => `${index + 1}${filler}`).join("\n");

describe("D6 a summary keeps both ends", () => {
  it("D6 returns a short text unchanged", () => {
    const text = numbered(100);

    expect(summarise(text)).toEqual({ text, isWhole: true, omitted: null, totalLines: 100 });
  });

  it("D6 counts the middle of a long one", () => {
    const { text, omitted, isWhole } = summarise(numbered(3_000, " some words"));

    expect(isWhole).toBe(false);
    expect(text.startsWith("1 some words\n2 some words\n")).toBe(true);
    expect(text.endsWith("\n3000 some words")).toBe(true);
    expect(text).toContain(
      `\n… ${omitted?.lines.toLocaleString("en-US")} lines, 43 KB left out, lines ${omitted?.fromLine}–${omitted?.toLine} …\n`,
    );
    expect(text.length).toBeLessThanOrEqual(DEFAULT_SUMMARY_LIMITS.previewChars);
    expect(text.length).toBeGreaterThan(DEFAULT_SUMMARY_LIMITS.previewChars - 100);
  });

  it("D6 caps a line and says how long it was", () => {
    const { text, isWhole } = summarise(`a\n${"x".repeat(12_345)}\nb`);

    expect(isWhole).toBe(false);
    expect(text.split("\n").map((line) => line.length)).toEqual([1, 500, 1]);
    expect(text).toContain("x … 12,345 characters in this line\nb");
  });

  it("D6 cuts a line if not even one fits", () => {
    const { text, isWhole, omitted } = summarise(`start${"x".repeat(50_000)}end`, SESSIONS_SUMMARY_LIMITS);

    expect({ isWhole, omitted }).toEqual({ isWhole: false, omitted: null });
    expect(text.length).toBeLessThanOrEqual(10_000);
  });

  it("D6 never cuts a character in two", () => {
    const { text } = summarise("👍".repeat(400));

    expect(encodeURI.bind(null, text)).not.toThrow();
  });

  it("D6 property: stays within its limits, and shown and omitted lines add up", () => {
    const line = fc.oneof(fc.string({ maxLength: 80 }), fc.string({ maxLength: 2_000 }), fc.constant("日本👍"));
    const limits = fc.record({
      maxChars: fc.integer({ min: 200, max: 4_000 }),
      previewChars: fc.integer({ min: 150, max: 200 }),
      maxLineChars: fc.integer({ min: 60, max: 600 }),
    });

    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), limits, (parts, given) => {
        const original = parts.map((part) => part.replaceAll("\n", " "));
        const summary = summarise(original.join("\n"), given);
        const limit = summary.omitted === null ? given.maxChars : given.previewChars;
        expect(summary.text.length).toBeLessThanOrEqual(limit);
        if (summary.omitted) {
          const { lines, fromLine, toLine } = summary.omitted;
          expect(summary.text.split("\n").length - 1 + lines).toBe(original.length);
          expect(toLine - fromLine + 1).toBe(lines);
        }
      }),
    );
  });
});
