import { setTimeout as delay } from "node:timers/promises";

/** This many wrong passwords may be mistakes; further attempts are delayed. */
const FREE_FAILURES = 10;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5_000;
/** More queued attempts than this are refused as guessing. */
const MAX_WAITING = 10;
const FORGOTTEN_AFTER_MS = 5 * 60_000;
const MAX_KEYS = 10_000;

interface Tries {
  failures: number;
  failedAt: number;
  waiting: number;
  last: Promise<unknown>;
}

/**
 * Slows down password guessing without locking anyone out: the right password always works, but takes longer
 * after many wrong ones. It counts by person and by client address, so that guessing from
 * one address does not slow the person down at another.
 */
export class SignInLimit {
  readonly #now: () => number;
  readonly #longestDelayMs: number;
  readonly #tries = new Map<string, Tries>();

  constructor({ now = () => performance.now(), longestDelayMs = LONGEST_DELAY_MS } = {}) {
    this.#now = now;
    this.#longestDelayMs = longestDelayMs;
  }

  /**
   * Tries a password in turn. Null if too many attempts are queued; then nothing was tried.
   */
  async inTurn<Result>(
    { email, address }: { email: string; address: string },
    attempt: () => Promise<{ result: Result; isWrong: boolean; isRight: boolean }>,
  ): Promise<Result | null> {
    const tries = this.#triesOf(`${email.toLowerCase()} ${address}`);
    if (tries.waiting >= MAX_WAITING) return null;
    tries.waiting += 1;
    const turn = tries.last.then(async () => {
      await delay(this.#delayFor(tries));
      const { result, isWrong, isRight } = await attempt();
      if (isWrong) tries.failures += 1;
      if (isWrong) tries.failedAt = this.#now();
      if (isRight) tries.failures = 0;
      return result;
    });
    tries.last = turn.catch(() => {}); // the caller gets the error; the queue continues
    return turn.finally(() => {
      tries.waiting -= 1;
    });
  }

  /** The person was verified otherwise, by a new password: resets the count. */
  clear(email: string): void {
    for (const key of this.#tries.keys()) if (key.startsWith(`${email.toLowerCase()} `)) this.#tries.delete(key);
  }

  #triesOf(key: string): Tries {
    const known = this.#tries.get(key) ?? { failures: 0, failedAt: 0, waiting: 0, last: Promise.resolve() };
    // A map in order of last use, so that a flood of addresses evicts the oldest ones.
    this.#tries.delete(key);
    this.#tries.set(key, known);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size > MAX_KEYS && oldest !== undefined) this.#tries.delete(oldest);
    return known;
  }

  #delayFor(tries: Tries): number {
    if (this.#now() - tries.failedAt > FORGOTTEN_AFTER_MS) tries.failures = 0;
    const extra = tries.failures - FREE_FAILURES;
    return extra < 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** extra, this.#longestDelayMs);
  }
}
