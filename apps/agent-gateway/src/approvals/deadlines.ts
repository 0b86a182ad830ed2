import type { ApprovalId } from "@belay/protocol";

/** The longest delay that Node's timers support; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const RETRY_MS = 1000;

/** The deadlines of pending questions, however far away they are. */
export class Deadlines {
  readonly #timers = new Map<ApprovalId, NodeJS.Timeout>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Calls `expire` at a moment, and again until it succeeds. Uses a monotonic clock: the remaining wait does not change
   * if the system clock is set.
   */
  arm(id: ApprovalId, expiresAt: number, expire: () => Promise<void>): void {
    this.clear(id);
    const endsAt = performance.now() + expiresAt - this.#now();
    const arm = (ms: number) => this.#timers.set(id, setTimeout(look, Math.min(Math.max(0, ms), LONGEST_TIMER_MS)));
    const look = () => {
      const leftMs = endsAt - performance.now();
      if (leftMs > 0) arm(leftMs);
      else void expire().catch(() => arm(RETRY_MS)); // it cannot be recorded now; retry
    };
    arm(endsAt - performance.now());
  }

  clear(id: ApprovalId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
