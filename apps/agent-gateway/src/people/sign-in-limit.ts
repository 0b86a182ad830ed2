import { setTimeout as delay } from "node:timers/promises";
import type { TurnRule } from "../store/postgres/tries.ts";

/** More queued attempts than this are refused as guessing. */
const MAX_WAITING = 10;
const MAX_KEYS = 10_000;

const RULE: TurnRule = {
  /** This many wrong passwords may be mistakes; further attempts are delayed. */
  freeFailures: 10,
  firstDelayMs: 500,
  longestDelayMs: 5_000,
  forgottenAfterMs: 5 * 60_000,
};

/** Who tries: a person's address, from the address of a client. */
export interface Trier {
  email: string;
  address: string;
}

/** Wrong passwords, counted by person and by client address. */
export interface SignInFailures {
  /** How long the next attempt has to wait. Each attempt asks once. */
  waitMs(who: Trier, rule: TurnRule): Promise<number>;
  wrong(who: Trier, rule: TurnRule): Promise<void>;
  right(who: Trier): Promise<void>;
  /** From every address. */
  clear(email: string): Promise<void>;
}

/**
 * Slows down password guessing without locking anyone out: the right password always works, but takes longer
 * after many wrong ones. It counts by person and by client address, so that guessing from
 * one address does not slow the person down at another.
 */
export class SignInLimit {
  readonly #failures: SignInFailures;
  readonly #rule: TurnRule;
  readonly #queues = new Map<string, { waiting: number; last: Promise<unknown> }>();

  constructor({ failures, longestDelayMs }: { failures: SignInFailures; longestDelayMs?: number }) {
    this.#failures = failures;
    this.#rule = { ...RULE, ...(longestDelayMs === undefined ? {} : { longestDelayMs }) };
  }

  /**
   * Tries a password in turn. Null if too many attempts are queued; then nothing was tried.
   */
  async inTurn<Result>(
    who: Trier,
    attempt: () => Promise<{ result: Result; isWrong: boolean; isRight: boolean }>,
  ): Promise<Result | null> {
    const queue = inOrderOfUse(this.#queues, keyOf(who), () => ({ waiting: 0, last: Promise.resolve() }));
    if (queue.waiting >= MAX_WAITING) return null;
    queue.waiting += 1;
    const turn = queue.last.then(async () => {
      await delay(await this.#failures.waitMs(who, this.#rule));
      const { result, isWrong, isRight } = await attempt();
      if (isWrong) await this.#failures.wrong(who, this.#rule);
      if (isRight) await this.#failures.right(who);
      return result;
    });
    queue.last = turn.catch(() => {}); // the caller gets the error; the queue continues
    return turn.finally(() => {
      queue.waiting -= 1;
    });
  }

  /** The person was verified otherwise, by a new password: resets the count. */
  async clear(email: string): Promise<void> {
    await this.#failures.clear(email);
  }
}

/** In the memory of one gateway. */
export class LocalFailures implements SignInFailures {
  readonly #failures = new Map<string, { count: number; at: number }>();
  readonly #now: () => number;

  constructor({ now = () => performance.now() } = {}) {
    this.#now = now;
  }

  async waitMs(who: Trier, rule: TurnRule): Promise<number> {
    const extra = this.#of(who, rule).count - rule.freeFailures;
    return extra < 0 ? 0 : Math.min(rule.firstDelayMs * 2 ** extra, rule.longestDelayMs);
  }

  async wrong(who: Trier, rule: TurnRule): Promise<void> {
    const known = this.#of(who, rule);
    known.count += 1;
    known.at = this.#now();
  }

  async right(who: Trier): Promise<void> {
    this.#failures.delete(keyOf(who));
  }

  async clear(email: string): Promise<void> {
    for (const key of this.#failures.keys()) if (key.startsWith(`${email.toLowerCase()} `)) this.#failures.delete(key);
  }

  #of(who: Trier, { forgottenAfterMs }: TurnRule) {
    const known = inOrderOfUse(this.#failures, keyOf(who), () => ({ count: 0, at: 0 }));
    if (this.#now() - known.at > forgottenAfterMs) known.count = 0;
    return known;
  }
}

function keyOf({ email, address }: Trier): string {
  return `${email.toLowerCase()} ${address}`;
}

/** A map in order of last use, so that a flood of addresses evicts the oldest ones. */
function inOrderOfUse<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key) ?? create();
  map.delete(key);
  map.set(key, known);
  const [oldest] = map.keys();
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest);
  return known;
}
