/** How far the output may run ahead of the fastest reader. */
const AHEAD_BYTES = 64 * 1024;
/** A reader that takes nothing for so long is not waited for. */
const PATIENCE_MS = 100;

/** What prints: it can be told to wait. */
export interface Source {
  hold(): void;
  release(): void;
}

/**
 * Has an output wait for the fastest of its readers, so that one that keeps up misses nothing.
 *
 * A slow reader never holds a fast one, nor the program for long: where even the fastest has
 * taken nothing for a while, it is given up until it has caught up by itself.
 */
export class Pace {
  readonly #source: Source;
  #fastest = 0;
  #isHolding = false;
  #hasGivenUp = false;
  #patience: NodeJS.Timeout | null = null;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Where the output ends, and how far the fastest reader has come; null without any. */
  update(endPosition: number, fastest: number | null): void {
    if (fastest === null || endPosition - fastest <= AHEAD_BYTES) {
      this.#hasGivenUp = false;
      this.release();
    } else if (!this.#hasGivenUp) {
      if (!this.#isHolding || fastest > this.#fastest) this.#wait();
      this.#fastest = fastest;
    }
  }

  release(): void {
    if (this.#patience) clearTimeout(this.#patience);
    this.#patience = null;
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#source.release();
  }

  #wait(): void {
    if (this.#patience) this.#patience.refresh();
    else this.#patience = setTimeout(() => this.#giveUp(), PATIENCE_MS);
    if (this.#isHolding) return;
    this.#isHolding = true;
    this.#source.hold();
  }

  #giveUp(): void {
    this.#hasGivenUp = true;
    this.release();
  }
}
