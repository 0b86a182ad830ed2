import { expect, test } from "vitest";
import { type OutputPiece, readPieces, summarisePieces } from "./long-output.ts";
import { readLinesOfPieces, searchPieces } from "./read-pieces.ts";

/** Eleven megabytes of terminal output. */
const LINES = 1_500_000;
const BYTES = Buffer.from(Array.from({ length: LINES }, (_, at) => `${at + 1}\r\n`).join(""));

function pieces(bytes = BYTES): AsyncGenerator<OutputPiece> {
  const range = { startPosition: 0, endPosition: bytes.length };
  const read = async (from: number, max: number) => bytes.subarray(from, from + max);
  return readPieces(range, read, async (piece) => `rendered ${piece.length}`);
}

test("D6 lines left out of a very long output are counted exactly", async () => {
  const limits = { maxChars: 4_000, previewChars: 3_800, maxLineChars: 500 };

  const { text, omitted, totalLines } = await summarisePieces(pieces(), limits);

  const lines = text.split("\n");
  const shown = lines.filter((line) => /^\d+$/.test(line)).length;
  expect(totalLines).toBe(LINES);
  expect(omitted?.lines).toBe(LINES - shown);
  expect(lines[(omitted?.fromLine ?? 0) - 2]).toBe(String((omitted?.fromLine ?? 0) - 1));
  expect(lines[omitted?.fromLine ?? 0]).toBe(String((omitted?.toLine ?? 0) + 1));
  expect(lines.at(-1)).toBe(String(LINES));
});

test("D6 a single line that is left out is not called lines", async () => {
  // Three lines, of which the first and the last just fit beside the notice.
  const lines = ["a".repeat(40), "b".repeat(200), "c".repeat(40)];
  const limits = { maxChars: 250, previewChars: 200, maxLineChars: 500 };

  const { text } = await summarisePieces(pieces(Buffer.from(`${lines.join("\r\n")}\r\n`)), limits);

  expect(text).toBe(`${lines[0]}\n… 1 line, 201 B left out, line 2 …\n${lines[2]}`);
});

test("A10 ten megabytes are returned in full if that is the limit", async () => {
  const limits = { maxChars: 12_000_000, previewChars: 12_000_000, maxLineChars: 12_000_000 };

  const { text, isTruncated } = await summarisePieces(pieces(), limits);

  expect(isTruncated).toBe(false);
  expect(text).toBe(BYTES.toString().replaceAll("\r", "").slice(0, -1));
});

test("D6 any line in the middle of a very long output is read and found", async () => {
  const lines = await readLinesOfPieces(pieces(), { fromLine: 700_000, toLine: 700_002, maxChars: 4_000 });
  const cut = await readLinesOfPieces(pieces(), { fromLine: 700_000, toLine: LINES, maxChars: 16 });
  const found = await searchPieces(pieces(), { query: "700001", maxMatches: 5, maxLineChars: 100 });

  expect(lines).toEqual({
    fromLine: 700_000,
    toLine: 700_002,
    text: "700000\n700001\n700002",
    totalLines: LINES,
    nextLine: null,
  });
  expect(cut).toMatchObject({ fromLine: 700_000, toLine: 700_001, nextLine: 700_002 });
  expect(found).toMatchObject({ matches: [{ line: 700_001, text: "700001" }], totalMatches: 1, totalLines: LINES });
});

test("D6 a chunk with control sequences is rendered, and a line longer than a chunk is cut", async () => {
  const drawn = await searchPieces(pieces(Buffer.from("a\r\n\u001b[2Kb")), {
    query: "rendered",
    maxMatches: 1,
    maxLineChars: 9,
  });
  const long = await searchPieces(pieces(Buffer.alloc(5_000_000, "x")), { query: "y", maxMatches: 1, maxLineChars: 9 });

  expect(drawn.totalMatches).toBe(1);
  expect(long.totalLines).toBe(3);
});
