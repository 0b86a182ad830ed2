import { createRateLimit } from "./rate-limit.ts";

const TRIES = { window: 5 * 60, max: 10 };

/**
 * How often one may try to sign in as the same person, from wherever. Counted by address of the
 * person, since whoever guesses has many addresses of the other kind; a right password clears it.
 */
export class SignInLimit {
  readonly #limit = createRateLimit();

  /** Seconds to wait; null where they may try. */
  async try(email: string): Promise<number | null> {
    const { allowed, retryAfter } = await this.#limit.consume(email.toLowerCase(), TRIES);
    return allowed ? null : retryAfter;
  }

  clear(email: string): void {
    this.#limit.clear(email.toLowerCase());
  }
}
