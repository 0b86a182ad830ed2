/**
 * Says when a page has shown what it was opened for and the browser is idle. What may be needed next is loaded then:
 * earlier it would compete with the page itself, on its first use it would make a person wait.
 */
export class FirstScreen {
  readonly #whenIdle: (act: () => void) => void;
  readonly #waiting = new Set<() => void>();
  #holds = 0;
  #isDrawn = false;
  #isOver = false;

  constructor(whenIdle: (act: () => void) => void) {
    this.#whenIdle = whenIdle;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The page has drawn its frame. */
  drawn(): void {
    this.#isDrawn = true;
    this.#check();
  }

  /** The page shows something that is not there yet. Returns the function that says it is, or will not come. */
  hold(): () => void {
    let isHeld = true;
    this.#holds += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.#check();
    };
  }

  /** Calls `act` once it is over, at an idle moment. Returns the function that takes this back. */
  after(act: () => void): () => void {
    if (this.#isOver) this.#whenIdle(act);
    else this.#waiting.add(act);
    return () => void this.#waiting.delete(act);
  }

  /** Ends it even if something is still not there. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const act of this.#waiting) act();
    this.#waiting.clear();
  }

  #check(): void {
    if (!this.#isDrawn || this.#holds > 0) return;
    this.#whenIdle(() => {
      if (this.#holds === 0) this.end();
    });
  }
}

/** A busy browser, or one whose window is hidden, may have no idle moment for long. */
const LONGEST_WAIT_MS = 2_000;
/** Safari has no idle callbacks. */
const LITTLE_WHILE_MS = 200;

/** Of this window. */
export const firstScreen = new FirstScreen((act) => {
  if ("requestIdleCallback" in window) window.requestIdleCallback(act, { timeout: LONGEST_WAIT_MS });
  else setTimeout(act, LITTLE_WHILE_MS);
});
