import type { IBuffer } from "@xterm/headless";
import { Emulator, type ScreenSize } from "./emulator.ts";
import { ScrolledLines } from "./screen/scrolled-lines.ts";

/** A line takes at least one byte, so a chunk of this size cannot overflow a scrollback of as many lines. */
const PIECE_BYTES = 2_048;

export interface ScreenText {
  /** Everything on the normal screen and above it; wrapped rows are joined to one line. */
  text: string;
  /** The screen of a full-screen program that is active at the end; null if there is none. */
  alternateScreen: string | null;
}

/** The text that a person would see (and could scroll back to) if these bytes came to a terminal of this size. */
export function readScreenText(
  pieces: Iterable<Uint8Array>,
  { cols, rows, isFromPipe }: ScreenSize & { isFromPipe?: boolean },
): ScreenText {
  const emulator = new Emulator({ cols, rows, isFromPipe, scrollbackLines: PIECE_BYTES + rows });
  const scrolled = new ScrolledLines(emulator);
  let lines: string[] = [];
  // What the program itself erased is gone for people, too.
  emulator.onErased(() => {
    lines = [];
  });

  // Text has no links, and the emulator's bookkeeping for them is quadratic.
  emulator.terminal.parser.registerOscHandler(8, () => true);

  try {
    for (const piece of pieces) {
      for (let start = 0; start < piece.byteLength; start += PIECE_BYTES) {
        emulator.write(piece.subarray(start, start + PIECE_BYTES));
        // A line cannot change once it has left the screen: read it before the emulator drops it.
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

/** Removes trailing spaces. Slicing also flattens a string that was built from single characters. */
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
