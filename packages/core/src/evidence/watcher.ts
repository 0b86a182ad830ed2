/** The delays between checks after the last activity. The last one repeats. */
const LOOK_AFTER_MS = [50, 150, 400, 800, 1500, 3000, 6000, 12_000, 30_000];

/** After this many checks in a row without a result, the first check moves to the next delay, up to this step. */
const MAX_CHECKS_WITHOUT_CHANGE = 3;
const LATEST_FIRST_STEP = 2;

export interface WatcherOptions {
  /** Whether there is anything to find out. */
  isNeeded: () => boolean;
  /** Called with the duration of the silence. */
  look: (silentMs: number) => Promise<void>;
}

/**
 * Checks a terminal that has gone quiet: soon at first, then with back-off, and from the start after any activity.
 * A program that prints at intervals is checked later: checks between two of its lines find nothing.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  #timer: NodeJS.Timeout | null = null;
  #touchedAt = performance.now();
  #step = 0;
  #firstStep = 0;
  #checksWithoutChange = 0;
  #isLooking = false;
  #isStopped = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Cheap, because it is called for every chunk of output. */
  touch(): void {
    this.#touchedAt = performance.now();
    if (this.#step > this.#firstStep) this.#checkedWithoutChange();
    this.#step = this.#firstStep;
    if (this.#timer === null && !this.#isLooking) this.#schedule();
  }

  /** Input was sent, so earlier pauses say nothing about the next one. */
  restart(): void {
    this.#rest();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #checkedWithoutChange(): void {
    this.#checksWithoutChange += 1;
    if (this.#checksWithoutChange < MAX_CHECKS_WITHOUT_CHANGE) return;
    this.#checksWithoutChange = 0;
    this.#firstStep = Math.min(this.#firstStep + 1, LATEST_FIRST_STEP);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    if (!this.#options.isNeeded()) {
      this.#rest();
      return;
    }
    const lookAfterMs = LOOK_AFTER_MS[Math.min(this.#step, LOOK_AFTER_MS.length - 1)] ?? 0;
    const repeats = this.#step >= LOOK_AFTER_MS.length;
    const silentMs = performance.now() - this.#touchedAt;
    this.#timer = setTimeout(
      () => this.#wake(lookAfterMs),
      repeats ? lookAfterMs : Math.max(1, lookAfterMs - silentMs),
    );
  }

  /** Resets the delays: the next command starts with the shortest one. */
  #rest(): void {
    this.#step = 0;
    this.#firstStep = 0;
    this.#checksWithoutChange = 0;
  }

  #wake(lookAfterMs: number): void {
    this.#timer = null;
    // The check may no longer be needed. It costs milliseconds, and most commands end sooner.
    if (!this.#options.isNeeded()) {
      this.#rest();
      return;
    }
    const silentMs = performance.now() - this.#touchedAt;
    if (silentMs < lookAfterMs) {
      this.#schedule();
      return;
    }
    this.#step++;
    this.#isLooking = true;
    void this.#options
      .look(silentMs)
      // For example when no descriptors are left: the next check may work again.
      .catch(() => {})
      .finally(() => {
        this.#isLooking = false;
        this.#schedule();
      });
  }
}
