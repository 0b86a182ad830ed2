/** Longer than the gap between two keys of a typist: a key after it was meant for this page. */
export const GUARD_MS = 700;

/**
 * Keeps keys and clicks that were meant for something else from answering a question.
 *
 * Another page can open this one while a person is typing. So no key answers anything before a deliberate action in this
 * page: a click, or `j` or `k` with a pause before and after it. Any key without a function here locks the keys again, and
 * so does leaving the page or coming back to it.
 */
export class KeyGuard {
  readonly #now: () => number;
  /** Null: no deliberate action yet. */
  #openFrom: number | null = null;
  #shownAt: number;
  #returnedAt: number | null = null;
  #quietSince: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#shownAt = now();
    this.#quietSince = now();
  }

  /** Whether a key may answer now, or lead towards an answer. */
  get isOpen(): boolean {
    return this.#openFrom !== null && this.#now() >= this.#openFrom;
  }

  /** Whether the page has come to the front only just now: a click was meant for what was there before. */
  get hasJustReturned(): boolean {
    return this.#returnedAt !== null && this.#now() - this.#returnedAt < GUARD_MS;
  }

  /** The page became visible. */
  shown(): void {
    this.#shownAt = this.#now();
    this.#returnedAt = this.#shownAt;
    this.left();
  }

  /** The page lost or gained the keyboard focus. */
  left(): void {
    this.#lock();
  }

  /** A click of a pointer. */
  clicked(): void {
    // Right after the page appeared it was meant for what was there before.
    if (this.#now() - this.#shownAt >= GUARD_MS) this.#openFrom = this.#now();
  }

  /** A key that moves through the queue. */
  moved(): void {
    if (this.isOpen) return;
    const isWithinTyping = this.#openFrom === null && this.#now() - this.#quietSince < GUARD_MS;
    if (isWithinTyping) this.#lock();
    else this.#openFrom = this.#now() + GUARD_MS;
  }

  /** A key that has no function here, or not yet. */
  typed(): void {
    this.#lock();
  }

  #lock(): void {
    this.#openFrom = null;
    this.#quietSince = this.#now();
  }
}
