/** Longer than the gap between two keys of a typist: a key after it was meant for this page. */
export const GUARD_MS = 700;

/**
 * Keeps keys that were meant for something else from answering a question.
 *
 * Another page can open this one while a person is typing. So no key answers anything before a deliberate action in this
 * page: a click, or `j` or `k` followed by a pause. Any other key restarts the pause, and so does coming back to the page.
 */
export class KeyGuard {
  readonly #now: () => number;
  /** Null: no deliberate action yet. */
  #openFrom: number | null = null;
  #shownAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#shownAt = now();
  }

  /** Whether a key may lead towards an answer: there was a deliberate action in this page. */
  get isArmed(): boolean {
    return this.#openFrom !== null;
  }

  /** Whether a key may answer now. */
  get isOpen(): boolean {
    return this.#openFrom !== null && this.#now() >= this.#openFrom;
  }

  /** The page became visible. */
  shown(): void {
    this.#shownAt = this.#now();
    this.left();
  }

  /** The page lost or gained the keyboard focus. */
  left(): void {
    this.#openFrom = null;
  }

  /** A click right after the page appeared was meant for what was there before. */
  clicked(): void {
    if (this.#now() - this.#shownAt >= GUARD_MS) this.#openFrom = this.#now();
  }

  /** A key that moves through the queue. */
  moved(): void {
    if (!this.isOpen) this.#openFrom = this.#now() + GUARD_MS;
  }

  /** Any other key without a function here. */
  typed(): void {
    if (this.#openFrom !== null) this.#openFrom = this.#now() + GUARD_MS;
  }
}
