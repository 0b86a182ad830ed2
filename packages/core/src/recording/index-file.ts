import type { FileHandle } from "node:fs/promises";
import { type IndexEntry, MAX_INDEX_LINE_BYTES, parseEntry, parseHeader, type RecordingHeader } from "./format.ts";

const BLOCK_BYTES = 64 * 1_024;
const OTHER_LINES_BLOCK_BYTES = 1_024 * 1_024;
const NEWLINE = 0x0a;
const OPENING_BRACE = 0x7b;

export interface IndexLine {
  entry: IndexEntry;
  /** The start and end of the line in the file, including the newline. */
  start: number;
  end: number;
}

/** The first line, and where the entries after it start. */
export async function readHeader(file: FileHandle): Promise<{ header: RecordingHeader; firstLine: number } | null> {
  const block = await readBlock(file, 0, MAX_INDEX_LINE_BYTES);
  const newline = block.indexOf(NEWLINE);
  const header = newline < 0 ? null : parseHeader(block.toString("utf8", 0, newline));
  return header && { header, firstLine: newline + 1 };
}

/** The entries from a line's start on. Ends at the first line that is incomplete or invalid. */
export async function* readLines(file: FileHandle, from: number): AsyncGenerator<IndexLine> {
  let carried: Buffer = Buffer.alloc(0);
  let carriedAt = from;
  for (;;) {
    const block = await readBlock(file, carriedAt + carried.byteLength, BLOCK_BYTES);
    if (block.byteLength === 0) return;
    const text = carried.byteLength === 0 ? block : Buffer.concat([carried, block]);
    let lineStart = 0;
    for (let lineEnd = text.indexOf(NEWLINE); lineEnd >= 0; lineEnd = text.indexOf(NEWLINE, lineStart)) {
      const entry = parseEntry(text.toString("utf8", lineStart, lineEnd));
      if (!entry) return;
      yield { entry, start: carriedAt + lineStart, end: carriedAt + lineEnd + 1 };
      lineStart = lineEnd + 1;
    }
    carried = Buffer.from(text.subarray(lineStart));
    carriedAt += lineStart;
  }
}

/**
 * Every entry except output, in order. Output makes up nearly all of an index and has its own form, so the other
 * entries are found without parsing it.
 */
export async function* readOtherLines(file: FileHandle, from: number): AsyncGenerator<IndexLine> {
  let at = from;
  let isLineStart = true;
  for (;;) {
    const block = await readBlock(file, at, OTHER_LINES_BLOCK_BYTES);
    if (block.byteLength === 0) return;
    let next: number | null = isLineStart && block[0] === OPENING_BRACE ? 0 : afterNewline(block.indexOf("\n{"));
    let carriedFrom: number | null = null;
    while (next !== null) {
      const lineEnd = block.indexOf(NEWLINE, next);
      if (lineEnd < 0) {
        carriedFrom = next;
        break;
      }
      const entry = parseEntry(block.toString("utf8", next, lineEnd));
      if (!entry) return;
      yield { entry, start: at + next, end: at + lineEnd + 1 };
      next = afterNewline(block.indexOf("\n{", lineEnd));
    }
    // A line cut off by the end of a block is read again with the next block; one that stays cut off ends the file.
    if (carriedFrom === 0) return;
    isLineStart = carriedFrom !== null || block[block.byteLength - 1] === NEWLINE;
    at += carriedFrom ?? block.byteLength;
  }
}

function afterNewline(newline: number): number | null {
  return newline < 0 ? null : newline + 1;
}

/**
 * Binary search for the start of the first line for which `isReached` is true, given that it is true
 * for all lines after it. Stops halving when the rest is quicker to read.
 */
export async function findLine(
  file: FileHandle,
  firstLine: number,
  isReached: (entry: IndexEntry) => boolean,
): Promise<number> {
  let low = firstLine;
  let high = (await file.stat()).size;
  while (high - low > BLOCK_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineAfter(file, middle);
    if (!line || isReached(line.entry)) high = middle;
    else low = line.end;
  }
  for await (const line of readLines(file, low)) {
    if (isReached(line.entry)) return line.start;
    low = line.end;
  }
  return low;
}

/** The last complete entry of the file. */
export async function lastLine(file: FileHandle, firstLine: number): Promise<IndexLine | null> {
  const { size } = await file.stat();
  const from = size - 2 * MAX_INDEX_LINE_BYTES;
  const start = from <= firstLine ? firstLine : ((await lineAfter(file, from))?.start ?? firstLine);
  let last: IndexLine | null = null;
  for await (const line of readLines(file, start)) last = line;
  return last;
}

/** The first complete line that starts after this offset. */
async function lineAfter(file: FileHandle, offset: number): Promise<IndexLine | null> {
  const block = await readBlock(file, offset, MAX_INDEX_LINE_BYTES);
  const newline = block.indexOf(NEWLINE);
  if (newline < 0) return null;
  for await (const line of readLines(file, offset + newline + 1)) return line;
  return null;
}

async function readBlock(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
