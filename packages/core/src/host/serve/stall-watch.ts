/** A process that did not run for this long was stopped, or hung. */
const STALLED_MS = 2_000;
const BEAT_MS = 250;
/** Long enough to read what arrived meanwhile. */
const AWAKE_MS = 200;

/**
 * Detects that this process has just resumed after a stall. Messages read then were sent a while ago,
 * and may have been withdrawn since.
 */
export class StallWatch {
  #beatAt = performance.now();
  #awakeAt = Number.NEGATIVE_INFINITY;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS).unref();

  /** How long to wait before acting on a message; zero except right after a stall. */
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
