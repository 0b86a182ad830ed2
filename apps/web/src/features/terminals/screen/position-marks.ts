import type { IMarker, Terminal } from "@xterm/xterm";

/** Enough for a long day; the oldest are dropped first. */
const MOST = 4_000;
/** Distance between two marks, so that a jump lands within a screenful. */
export const MARK_EVERY_BYTES = 2_048;

/** Remembers the line of each part of the output, to jump back to a byte. */
export class PositionMarks {
  readonly #terminal: Terminal;
  #marks: { position: number; marker: IMarker }[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The next byte written is at this position. Full-screen programs have no lines to jump to. */
  note(position: number): void {
    if (this.#terminal.buffer.active.type === "alternate") return;
    const marker = this.#terminal.registerMarker(0);
    this.#marks.push({ position, marker });
    if (this.#marks.length > MOST) this.#marks.shift()?.marker.dispose();
  }

  /** The line of this byte, or one shortly before it; null if it is gone. */
  lineOf(position: number): number | null {
    const mark = this.#marks.findLast((candidate) => candidate.position <= position);
    return mark && !mark.marker.isDisposed && mark.marker.line >= 0 ? mark.marker.line : null;
  }

  clear(): void {
    for (const { marker } of this.#marks) marker.dispose();
    this.#marks = [];
  }
}
