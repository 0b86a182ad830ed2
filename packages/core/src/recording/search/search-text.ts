import { stripControls } from "../../render/text/plain-text.ts";
import type { RecordingReader } from "../reader.ts";
import type { GramIndex } from "./gram-index.ts";
import { readTextBlock, readTextBlocks, type TextPiece } from "./text-blocks.ts";

export interface TextMatch {
  /** The position in the recording, to the nearest piece of output that was written at once. */
  position: number;
  timeMs: number;
  /** The line that contains it. */
  line: string;
}

const MAX_LINE_CHARS = 300;

/**
 * Finds lines that contain a text, ignoring case, without rendering: control sequences are removed, and text that a
 * program has overwritten is found as well. Stops at the maximum number of matches. With an index, only blocks that may
 * contain the text are read. `onBlock` is called after each block; the search ends when it returns false.
 */
export async function searchText(
  recording: RecordingReader,
  text: string,
  {
    index = null,
    maxMatches,
    onBlock,
  }: { index?: GramIndex | null; maxMatches: number; onBlock: () => Promise<boolean> },
): Promise<{ matches: TextMatch[]; isComplete: boolean }> {
  const needle = text.toLowerCase();
  const matches: TextMatch[] = [];
  for await (const pieces of index ? readCandidates(recording, index, needle) : readAll(recording)) {
    matches.push(...findIn(pieces, needle));
    if (matches.length > maxMatches || !(await onBlock()))
      return { matches: matches.slice(0, maxMatches), isComplete: false };
  }
  return { matches, isComplete: true };
}

async function* readAll(recording: RecordingReader): AsyncGenerator<TextPiece[]> {
  for await (const { pieces } of readTextBlocks(recording)) yield pieces;
}

async function* readCandidates(recording: RecordingReader, index: GramIndex, text: string) {
  for (const block of index.candidates(text)) yield await readTextBlock(recording, block);
}

/** One match per line. Most blocks have none, so only blocks with a match are examined line by line. */
function findIn(pieces: readonly TextPiece[], needle: string): TextMatch[] {
  const joined = Buffer.concat(pieces.map(({ bytes }) => bytes));
  if (!stripControls(joined).toLowerCase().includes(needle)) return [];
  const starts = lineStarts(joined);
  return starts.flatMap((start, index) => {
    const line = stripControls(joined.subarray(start, starts[index + 1] ?? joined.byteLength)).trim();
    const piece = line.toLowerCase().includes(needle) ? pieceAt(pieces, start) : null;
    return piece ? [{ position: piece.position, timeMs: piece.timeMs, line: around(line, needle) }] : [];
  });
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) starts.push(at + 1);
  return starts;
}

function pieceAt(pieces: readonly TextPiece[], offset: number) {
  let start = 0;
  for (const piece of pieces) {
    if (offset < start + piece.bytes.byteLength)
      return { position: piece.position + offset - start, timeMs: piece.timeMs };
    start += piece.bytes.byteLength;
  }
  return null;
}

function around(line: string, needle: string): string {
  const at = line.toLowerCase().indexOf(needle);
  const from = Math.max(0, Math.min(at - MAX_LINE_CHARS / 3, line.length - MAX_LINE_CHARS));
  return line.slice(from, from + MAX_LINE_CHARS);
}
