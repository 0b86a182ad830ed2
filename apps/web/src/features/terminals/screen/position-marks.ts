import type { IMarker, Terminal } from "@xterm/xterm";

/** Enough for a long day; the oldest go first. */
const MOST = 4_000;
/** Between two marks, so that a jump lands within a screenful. */
export const MARK_EVERY_BYTES = 2_048;

/** Remembers on which line each part of the output landed, so that one can go back to a byte. */
export class PositionMarks {
  readonly #terminal: Terminal;
  #marks: { position: number; marker: IMarker }[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The next byte that is written is at this position. Full-screen programs have no lines to go back to. */
  note(position: number): void {
    if (this.#terminal.buffer.active.type === "alternate") return;
    const marker = this.#terminal.registerMarker(0);
    this.#marks.push({ position, marker });
    if (this.#marks.length > MOST) this.#marks.shift()?.marker.dispose();
  }

  /** The line on which this byte was shown, or a little before; null where it is gone. */
  lineOf(position: number): number | null {
    const mark = this.#marks.findLast((candidate) => candidate.position <= position);
    return mark && !mark.marker.isDisposed && mark.marker.line >= 0 ? mark.marker.line : null;
  }

  clear(): void {
    for (const { marker } of this.#marks) marker.dispose();
    this.#marks = [];
  }
}
