import type { Sql } from "postgres";
import { connect } from "./connect.ts";

/** A number of our own, so that other programs' locks in the same database do not meet ours. */
const KEY = 727_235_829;

/**
 * Makes this gateway the only one on its database. PostgreSQL holds the lock as long as the connection lives, so a killed
 * gateway leaves none behind, and one that lost its connection has to take the lock again before it writes.
 */
export class DatabaseLock {
  readonly #client: Sql;
  #isHeld = false;

  constructor(url: string) {
    this.#client = connect(url, 1, () => {
      this.#isHeld = false;
    });
  }

  /** Takes the lock unless it is held already. False if another gateway has it. */
  async take(): Promise<boolean> {
    if (this.#isHeld) return true;
    const [row] = await this.#client`SELECT pg_try_advisory_lock(${KEY}) AS taken`;
    this.#isHeld = row?.taken === true;
    return this.#isHeld;
  }

  async release(): Promise<void> {
    await this.#client.end({ timeout: 1 });
  }
}
