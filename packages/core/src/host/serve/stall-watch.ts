/** A process that did not get to run for so long was stopped, or hung. */
const STALLED_MS = 2_000;
const BEAT_MS = 250;
/** Long enough to read what came in meanwhile. */
const AWAKE_MS = 200;

/**
 * Knows whether this process has just come back from not running. What it reads then was sent to it a while ago,
 * and may have been withdrawn since.
 */
export class StallWatch {
  #beatAt = performance.now();
  #awakeAt = Number.NEGATIVE_INFINITY;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS).unref();

  /** How long to wait before acting on what was read; zero but for the first moment after a stall. */
  get settleMs(): number {
    this.#look();
    return Math.max(0, this.#awakeAt + AWAKE_MS - performance.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    this.#look();
    this.#beatAt = performance.now();
  }

  #look(): void {
    if (performance.now() - this.#beatAt < STALLED_MS) return;
    this.#beatAt = performance.now();
    this.#awakeAt = this.#beatAt;
  }
}
