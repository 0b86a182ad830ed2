import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trimHistory } from "./history.ts";

const text = (bytes: string | Buffer, isCut = true) => trimHistory(Buffer.from(bytes), { isCut }).text;

describe("trimHistory", () => {
  it.each([
    ["B3 nothing is nothing", "", ""],
    ["B3 begins at a line", "est of a line\nwhole\nlines", "whole\nlines"],
    ["B3 never begins inside a character", Buffer.from("€uro").subarray(1), "uro"],
    ["B3 never begins inside a sequence", "8;5;12mred\x1b[0mplain", "\x1b[0mplain"],
    ["B3 never ends inside a character", Buffer.concat([Buffer.from("\na€"), Buffer.from("€").subarray(0, 2)]), "a€"],
    ["B3 never ends inside a sequence", "\ntext\x1b[38;5", "text"],
    ["B3 never ends inside a title", "\ntext\x1b]0;my ti", "text"],
    ["B3 never ends with a lone escape", "\ntext\x1b", "text"],
    ["B3 leaves whole sequences", "\n\x1b]0;t\x07\x1b[1mx\x1b[0m\x1b(B", "\x1b]0;t\x07\x1b[1mx\x1b[0m\x1b(B"],
  ])("%s", (_, bytes, expected) => expect(text(bytes)).toBe(expected));

  it("B3 a short output is kept in full", () => {
    expect(text("no line end yet", false)).toBe("no line end yet");
  });

  it("B3 any cut of any text is part of that text, without a broken character", () => {
    // A text may itself contain the sign for a broken character; then nothing could be told from it.
    const anyText = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\ufffd"));
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (whole, a, b) => {
        const bytes = Buffer.from(whole);
        const from = a % (bytes.byteLength + 1);
        const cut = bytes.subarray(from, from + (b % (bytes.byteLength - from + 1)));

        const { text: kept } = trimHistory(cut, { isCut: true });

        expect(kept).not.toContain("\ufffd");
        expect(whole).toContain(kept);
      }),
    );
  });
});
