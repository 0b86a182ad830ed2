import type { IBuffer } from "@xterm/headless";
import { Emulator, type ScreenSize } from "./emulator.ts";

/** A line takes at least one byte to make, so a piece of this size cannot outrun the scrollback. */
const PIECE_BYTES = 8192;

export interface ScreenText {
  /** Everything on the normal screen and above it; rows that only wrapped are one line again. */
  text: string;
  /** What a full-screen program shows at the end; null when none is. */
  alternateScreen: string | null;
}

/** The text a person would have seen (and could scroll back to) had these bytes come to a terminal of this size. */
export function readScreenText(pieces: Iterable<Uint8Array>, size: ScreenSize): ScreenText {
  const emulator = new Emulator({ ...size, scrollbackLines: PIECE_BYTES + size.rows });
  let lines: string[] = [];
  // What the program itself erased is gone for a person, too.
  emulator.onScrollbackErased(() => {
    if (!emulator.isAlternate) lines = [];
  });

  try {
    for (const piece of pieces) {
      for (let start = 0; start < piece.byteLength; start += PIECE_BYTES) {
        emulator.write(piece.subarray(start, start + PIECE_BYTES));
        // Nothing can change a line once it has left the screen: take it, so that memory stays flat.
        const scrolledOut = emulator.normal.baseY;
        if (scrolledOut === 0) continue;
        appendRows(lines, emulator.normal, scrolledOut);
        emulator.dropScrollback(scrolledOut);
      }
    }
    appendRows(lines, emulator.normal, emulator.normal.length);
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
  appendRows(lines, buffer, buffer.length);
  return joinTrimmed(lines);
}

function appendRows(lines: string[], buffer: IBuffer, rowCount: number): void {
  for (let row = 0; row < rowCount; row++) {
    const cells = buffer.getLine(row);
    if (!cells) break;
    const text = cells.translateToString(true);
    if (cells.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
}

function joinTrimmed(lines: string[]): string {
  const trimmed = lines.map((line) => line.trimEnd());
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === "") end--;
  return trimmed.slice(0, end).join("\n");
}
