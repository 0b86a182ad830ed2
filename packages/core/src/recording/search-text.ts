import { stripControls } from "../render/text/plain-text.ts";
import type { RecordingReader } from "./reader.ts";

export interface TextMatch {
  /** Where in the recording, to the nearest output that was written at once. */
  position: number;
  timeMs: number;
  /** The line that it stands in. */
  line: string;
}

const BLOCK_BYTES = 256 * 1_024;
const MAX_LINE_CHARS = 300;

/**
 * Finds lines that contain a text, whatever the case, without rendering: control sequences are taken out, and what a
 * program drew over is found as well. Stops after so many matches. `onBlock` is called between two blocks; when it
 * answers false, the search ends there.
 */
export async function searchText(
  recording: RecordingReader,
  text: string,
  { maxMatches, onBlock }: { maxMatches: number; onBlock: (bytes: number) => Promise<boolean> },
): Promise<{ matches: TextMatch[]; isComplete: boolean }> {
  const needle = text.toLowerCase();
  const matches: TextMatch[] = [];
  let block: { position: number; timeMs: number; bytes: Uint8Array }[] = [];
  let blockBytes = 0;
  for await (const event of recording.events()) {
    if (event.type !== "output") continue;
    block.push({ position: event.position, timeMs: event.timeMs, bytes: event.bytes });
    blockBytes += event.bytes.byteLength;
    const endsLine = event.bytes.at(-1) === 0x0a;
    // Beyond a block, one more line's end is waited for, but not for ever.
    if (blockBytes < BLOCK_BYTES || (!endsLine && blockBytes < 2 * BLOCK_BYTES)) continue;
    matches.push(...findIn(block, needle));
    if (matches.length >= maxMatches || !(await onBlock(blockBytes)))
      return { matches: matches.slice(0, maxMatches), isComplete: false };
    block = [];
    blockBytes = 0;
  }
  matches.push(...findIn(block, needle));
  await onBlock(blockBytes);
  return { matches: matches.slice(0, maxMatches), isComplete: matches.length <= maxMatches };
}

/** One match a line. Most blocks have none, so that only those which have one are looked at line by line. */
function findIn(block: { position: number; timeMs: number; bytes: Uint8Array }[], needle: string): TextMatch[] {
  const joined = Buffer.concat(block.map(({ bytes }) => bytes));
  if (!stripControls(joined).toLowerCase().includes(needle)) return [];
  const starts = lineStarts(joined);
  return starts.flatMap((start, index) => {
    const line = stripControls(joined.subarray(start, starts[index + 1] ?? joined.byteLength)).trim();
    const piece = line.toLowerCase().includes(needle) ? pieceAt(block, start) : null;
    return piece ? [{ position: piece.position, timeMs: piece.timeMs, line: around(line, needle) }] : [];
  });
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) starts.push(at + 1);
  return starts;
}

function pieceAt(block: { position: number; timeMs: number; bytes: Uint8Array }[], offset: number) {
  let start = 0;
  for (const piece of block) {
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
