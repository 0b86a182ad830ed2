/** The delays between checks after the last activity. The last one repeats. */
const LOOK_AFTER_MS = [50, 150, 400, 800, 1500, 3000, 6000, 12_000, 30_000];

export interface WatcherOptions {
  /** Whether there is anything to find out. */
  isNeeded: () => boolean;
  /** Called with the duration of the silence. */
  look: (silentMs: number) => Promise<void>;
}

/** Checks a terminal that has gone quiet: soon at first, then with back-off, and from the start after any activity. */
export class Watcher {
  readonly #options: WatcherOptions;
  #timer: NodeJS.Timeout | null = null;
  #touchedAt = performance.now();
  #step = 0;
  #isLooking = false;
  #isStopped = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Cheap, because it is called for every chunk of output. */
  touch(): void {
    this.#touchedAt = performance.now();
    this.#step = 0;
    if (this.#timer === null && !this.#isLooking) this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    if (this.#isStopped || !this.#options.isNeeded()) return;
    const lookAfterMs = LOOK_AFTER_MS[Math.min(this.#step, LOOK_AFTER_MS.length - 1)] ?? 0;
    const repeats = this.#step >= LOOK_AFTER_MS.length;
    const silentMs = performance.now() - this.#touchedAt;
    this.#timer = setTimeout(
      () => this.#wake(lookAfterMs),
      repeats ? lookAfterMs : Math.max(1, lookAfterMs - silentMs),
    );
  }

  #wake(lookAfterMs: number): void {
    this.#timer = null;
    // What was to be found out may be known by now: a look costs milliseconds, and most commands are over sooner.
    if (!this.#options.isNeeded()) return;
    const silentMs = performance.now() - this.#touchedAt;
    if (silentMs < lookAfterMs) {
      this.#schedule();
      return;
    }
    this.#step++;
    this.#isLooking = true;
    void this.#options
      .look(silentMs)
      // For example when no descriptor is left: the next check may work again.
      .catch(() => {})
      .finally(() => {
        this.#isLooking = false;
        this.#schedule();
      });
  }
}
