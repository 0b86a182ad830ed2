/** Slower than anybody types: after it, a key was meant for this page. */
export const GUARD_MS = 700;

/**
 * Keeps keys that were meant for something else from answering a question.
 *
 * Another page can open this one under somebody who types. So no key answers anything before a deliberate act in this
 * page: a click, or `j` or `k` and then a pause. Any other key starts the pause anew, and so does coming back to the page.
 */
export class KeyGuard {
  readonly #now: () => number;
  /** Null: nothing deliberate has happened yet. */
  #openFrom: number | null = null;
  #shownAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#shownAt = now();
  }

  /** Whether a key may lead to an answer: something deliberate has happened in this page. */
  get isArmed(): boolean {
    return this.#openFrom !== null;
  }

  /** Whether a key may answer now. */
  get isOpen(): boolean {
    return this.#openFrom !== null && this.#now() >= this.#openFrom;
  }

  /** The page came into sight. */
  shown(): void {
    this.#shownAt = this.#now();
    this.left();
  }

  /** The keyboard went elsewhere, or came back. */
  left(): void {
    this.#openFrom = null;
  }

  /** A click that came with the page was meant for what was there before. */
  clicked(): void {
    if (this.#now() - this.#shownAt >= GUARD_MS) this.#openFrom = this.#now();
  }

  /** A key that moves through the queue. */
  moved(): void {
    if (!this.isOpen) this.#openFrom = this.#now() + GUARD_MS;
  }

  /** Any other key that does nothing here. */
  typed(): void {
    if (this.#openFrom !== null) this.#openFrom = this.#now() + GUARD_MS;
  }
}
