import type { CoreBuffer, Emulator } from "../emulator.ts";

/**
 * Which rows of the normal screen have left it for good since the last call.
 *
 * The emulator reuses the memory of its oldest lines, which makes it
 * fast; so rows are counted from the very first one, and this must be called
 * before as many lines have come as its scrollback holds.
 */
export class ScrolledLines {
  readonly #emulator: Emulator;
  #lines: CoreBuffer["lines"];
  #forgotten = 0;
  #seen = 0;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#lines = this.#watch();
  }

  /** Rows of the current buffer, from `fromRow` up to, but not including, `toRow`. */
  next(): { fromRow: number; toRow: number } {
    // A full reset makes a new buffer.
    if (this.#lines !== this.#emulator.internals.buffers.normal.lines) {
      this.#forgotten = 0;
      this.#seen = 0;
      this.#lines = this.#watch();
    }
    const toRow = this.#emulator.normal.baseY;
    const fromRow = Math.max(0, this.#seen - this.#forgotten);
    this.#seen = this.#forgotten + toRow;
    return { fromRow: Math.min(fromRow, toRow), toRow };
  }

  #watch(): CoreBuffer["lines"] {
    const { lines } = this.#emulator.internals.buffers.normal;
    lines.onTrim((count) => {
      if (lines === this.#lines) this.#forgotten += count;
    });
    return lines;
  }
}
