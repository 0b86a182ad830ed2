import { omissionNotice, type SummaryLimits } from "@belay/core";
import type { OutputText } from "./output-text.ts";

/** A chunk of a long output that ends at a line end. */
export interface OutputPiece {
  /** As a person would see it, without the final newline. */
  text: string;
  lines: number;
}

/** How much is read and rendered at a time. */
export const PIECE_BYTES = 2 * 1024 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;

/**
 * Reads a long output in chunks, each up to the end of a line, so that it is never held in memory as a whole.
 *
 * `read` gives bytes by position; `render` is called only for chunks with control sequences.
 */
export async function* readPieces(
  { startPosition, endPosition }: { startPosition: number; endPosition: number },
  read: (fromPosition: number, maxBytes: number) => Promise<Buffer>,
  render: (bytes: Buffer) => Promise<string>,
): AsyncGenerator<OutputPiece> {
  let rest = Buffer.alloc(0);
  for (let position = startPosition; position < endPosition; position += PIECE_BYTES) {
    const isLast = position + PIECE_BYTES >= endPosition;
    const bytes = Buffer.concat([rest, await read(position, Math.min(PIECE_BYTES, endPosition - position))]);
    const lineEnd = bytes.lastIndexOf(NEWLINE) + 1;
    // A line longer than a chunk is cut, to bound memory.
    const end = isLast || lineEnd === 0 ? bytes.length : lineEnd;
    rest = bytes.subarray(end);
    const piece = bytes.subarray(0, end);
    const text = isPlain(piece) ? plainText(piece) : await render(piece);
    yield { text, lines: countLines(text) };
  }
}

/** Head and tail of a long output, with an exact count of the lines between. */
export async function summarisePieces(
  pieces: AsyncIterable<OutputPiece>,
  { maxChars, previewChars, maxLineChars }: SummaryLimits,
): Promise<Omit<OutputText, "lostBytes">> {
  let whole = "";
  let head = "";
  let tail = "";
  let totalLines = 0;
  let totalChars = 0;
  let totalBytes = 0;
  for await (const { text, lines } of pieces) {
    totalLines += lines;
    totalChars += text.length + 1;
    totalBytes += Buffer.byteLength(text) + 1;
    if (head.length <= previewChars) head += `${text.slice(0, previewChars + maxLineChars)}\n`;
    tail = `${tail}${text}\n`.slice(-(previewChars + maxLineChars));
    whole = totalChars > maxChars + 1 ? "" : `${whole}${text}\n`;
  }
  const longest = whole.split("\n").reduce((most, line) => Math.max(most, line.length), 0);
  if (totalChars <= maxChars + 1 && longest <= maxLineChars) {
    return { text: whole.slice(0, -1), isTruncated: false, omitted: null, totalLines, fullTextPath: null };
  }
  const room = Math.floor((previewChars - NOTICE_CHARS) / 2);
  const first = fitting(head.split("\n").slice(0, -1), room, maxLineChars);
  // The first kept line of the end may be incomplete.
  const last = fitting(tail.slice(0, -1).split("\n").slice(1).reverse(), room, maxLineChars).reverse();
  const lines = totalLines - first.length - last.length;
  const bytes = totalBytes - bytesOf(first) - bytesOf(last);
  const omitted = { lines, bytes, fromLine: first.length + 1, toLine: totalLines - last.length };
  return {
    text: [...first, omissionNotice(omitted), ...last].join("\n"),
    isTruncated: true,
    omitted,
    totalLines,
    fullTextPath: null,
  };
}

const NOTICE_CHARS = 100;

function fitting(lines: string[], maxChars: number, maxLineChars: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const line of lines) {
    const shown = line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars - 1)}…`;
    used += shown.length + 1;
    if (used > maxChars) break;
    taken.push(shown);
  }
  return taken;
}

function bytesOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Only printable characters, tabs and line ends, so no emulator is needed to render it. */
function isPlain(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x20 && byte !== 0x7f) continue;
    if (byte === NEWLINE || byte === TAB) continue;
    if (byte === RETURN && (bytes[at + 1] === NEWLINE || bytes[at + 1] === RETURN)) continue;
    return false;
  }
  return true;
}

function plainText(bytes: Buffer): string {
  const text = bytes.toString("utf8").replaceAll("\r", "");
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
