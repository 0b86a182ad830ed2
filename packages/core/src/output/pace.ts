/** How far the output may run ahead of the fastest reader. */
const AHEAD_BYTES = 64 * 1024;
/** A reader that reads nothing for this long is not waited for. */
const PATIENCE_MS = 100;

/** A source of output that can be paused. */
export interface Source {
  hold(): void;
  release(): void;
}

/**
 * Back-pressure: holds the source back for the fastest of its readers, so that one that keeps up misses nothing.
 *
 * A slow reader never holds up a fast one, and no reader holds up the program for long: if even the fastest has
 * read nothing for a while, it is ignored until it has caught up by itself.
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

  /** The end of the output, and the position of the fastest reader; null without readers. */
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
