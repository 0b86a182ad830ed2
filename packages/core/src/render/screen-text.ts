import type { IBuffer } from "@xterm/headless";
import { Emulator, type ScreenSize } from "./emulator.ts";
import { ScrolledLines } from "./screen/scrolled-lines.ts";

/** A line takes at least one byte to make, so a piece of this size cannot outrun a scrollback of as many lines. */
const PIECE_BYTES = 2_048;

export interface ScreenText {
  /** Everything on the normal screen and above it; rows that only wrapped are one line again. */
  text: string;
  /** What a full-screen program shows at the end; null when none is. */
  alternateScreen: string | null;
}

/** The text a person would have seen (and could scroll back to) had these bytes come to a terminal of this size. */
export function readScreenText(
  pieces: Iterable<Uint8Array>,
  { cols, rows, isFromPipe }: ScreenSize & { isFromPipe?: boolean },
): ScreenText {
  const emulator = new Emulator({ cols, rows, isFromPipe, scrollbackLines: PIECE_BYTES + rows });
  const scrolled = new ScrolledLines(emulator);
  let lines: string[] = [];
  // What the program itself erased is gone for a person, too.
  emulator.onErased(() => {
    lines = [];
  });

  // Text has no links, and the emulator's book-keeping of them grows with the square of their number.
  emulator.terminal.parser.registerOscHandler(8, () => true);

  try {
    for (const piece of pieces) {
      for (let start = 0; start < piece.byteLength; start += PIECE_BYTES) {
        emulator.write(piece.subarray(start, start + PIECE_BYTES));
        // Nothing can change a line once it has left the screen: read it before the emulator forgets it.
        const { fromRow, toRow } = scrolled.next();
        appendRows(lines, emulator.normal, fromRow, toRow);
      }
    }
    const { normal } = emulator;
    appendRows(lines, normal, normal.baseY, normal.length);
    return {
      text: joinTrimmed(lines),
      alternateScreen: emulator.isAlternate ? readBuffer(emulator.terminal.buffer.alternate) : null,
    };
  } finally {
    emulator.dispose();
  }
}

function readBuffer(buffer: IBuffer): string {
  const lines: string[] = [];
  appendRows(lines, buffer, 0, buffer.length);
  return joinTrimmed(lines);
}

function appendRows(lines: string[], buffer: IBuffer, fromRow: number, toRow: number): void {
  for (let row = fromRow; row < toRow; row++) {
    const cells = buffer.getLine(row);
    if (!cells) break;
    const text = cells.translateToString(true);
    if (cells.isWrapped && lines.length > 0) {
      lines[lines.length - 1] += text;
    } else {
      finishLastLine(lines);
      lines.push(text);
    }
  }
}

/** Spaces at the end cannot be seen. To cut them also turns a string made of single characters into one piece, at once and not at the end for all. */
function finishLastLine(lines: string[]): void {
  const last = lines.at(-1);
  if (last !== undefined) lines[lines.length - 1] = last.trimEnd();
}

function joinTrimmed(lines: string[]): string {
  finishLastLine(lines);
  let end = lines.length;
  while (end > 0 && lines[end - 1] === "") end--;
  return lines.slice(0, end).join("\n");
}
