/** A terminal that can wait for its turn. */
export interface Flooding {
  waitForTurn(): void;
  takeTurn(): void;
}

/**
 * Reads flooding terminals in turns.
 *
 * The event loop reads everything that is ready before it does anything else, up to 128 KB of each terminal. With ten
 * floods a keystroke would wait for a megabyte, and its echo for another one. So only one flooding terminal is read
 * at a time; after each turn everything else that is ready goes first. Other terminals are always read.
 */
export class FloodTurns {
  #current: Flooding | null = null;
  readonly #waiting: Flooding[] = [];
  #next: NodeJS.Immediate | null = null;

  /** It has used up its turn, and there is more. */
  spend(terminal: Flooding): void {
    if (this.#current === null && this.#waiting.length === 0) this.#current = terminal;
    if (this.#current === terminal && this.#waiting.length === 0) return;
    if (this.#current === terminal) this.#current = null;
    this.#waiting.push(terminal);
    terminal.waitForTurn();
    this.#plan();
  }

  /** It has nothing more at the moment, or waits for something else. */
  leave(terminal: Flooding): void {
    const at = this.#waiting.indexOf(terminal);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#current === terminal) this.#current = null;
    this.#plan();
  }

  #plan(): void {
    if (this.#current !== null || this.#waiting.length === 0) return;
    this.#next ??= setImmediate(() => {
      this.#next = null;
      if (this.#current !== null) return;
      this.#current = this.#waiting.shift() ?? null;
      this.#current?.takeTurn();
    });
  }
}
