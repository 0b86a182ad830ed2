import type { Sql } from "postgres";
import { GatewayError } from "../../errors.ts";
import { connect } from "./connect.ts";
import { describeUrl } from "./explain.ts";

/** A number of our own, so that other programs' locks in the same database do not meet ours. */
const SPACE = 727_235_829;
/** Below the numbers of gateways. */
const DATABASE = -1;
const SET_UP = -2;

/** `alone`: no other gateway may use the database. `shared`: others that also share it may. */
export type LockMode = "alone" | "shared";

/**
 * What a gateway holds while it uses a database: the database itself, alone or shared, and its own chain, always alone.
 *
 * PostgreSQL holds the locks as long as the connection lives, so a killed gateway leaves none behind, and one that lost its
 * connection has to take them again before it writes. A copy of a data folder cannot write to the same chain.
 */
export class GatewayLocks {
  readonly #url: string;
  readonly #mode: LockMode;
  readonly #client: Sql;
  #gateway: number | null = null;
  #isHeld = false;

  constructor(url: string, mode: LockMode) {
    this.#url = url;
    this.#mode = mode;
    this.#client = connect(url, 1, () => {
      this.#isHeld = false;
    });
  }

  /** Before the database is set up: refuses if it belongs to another gateway. */
  async takeDatabase(): Promise<void> {
    if (!(await this.#tryDatabase())) throw this.#refusal("Stop it first, or set BELAY_DATABASE_URL to another one.");
  }

  /** Runs one set-up at a time: two gateways that start together would migrate at the same time. */
  async setUp<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#client`SELECT pg_advisory_lock(${SPACE}, ${SET_UP})`;
    try {
      return await work();
    } finally {
      await this.#client`SELECT pg_advisory_unlock(${SPACE}, ${SET_UP})`;
    }
  }

  /** From now on, `take` holds this gateway's chain too. */
  async takeChain(gateway: number): Promise<void> {
    this.#gateway = gateway;
    if (!(await this.#tryChain(gateway))) {
      throw this.#refusal("It has a copy of this data folder. Give each gateway a data folder of its own.");
    }
    this.#isHeld = true;
  }

  /** Takes what a lost connection released. False if another gateway was faster. */
  async take(): Promise<boolean> {
    if (this.#isHeld || this.#gateway === null) return this.#isHeld;
    const [hasDatabase, hasChain] = [await this.#tryDatabase(), await this.#tryChain(this.#gateway)];
    this.#isHeld = hasDatabase && hasChain;
    return this.#isHeld;
  }

  /** Runs work for a gateway that is gone, which cannot start meanwhile. Null if that one runs, or another gateway does this. */
  async inPlaceOf<Result>(gateway: number, work: () => Promise<Result>): Promise<Result | null> {
    if (gateway === this.#gateway || !(await this.#try(gateway))) return null;
    try {
      return await work();
    } finally {
      await this.#client`SELECT pg_advisory_unlock(${SPACE}, ${gateway})`;
    }
  }

  async release(): Promise<void> {
    await this.#client.end({ timeout: 1 });
  }

  async #tryDatabase(): Promise<boolean> {
    if (this.#mode === "alone") return this.#try(DATABASE);
    const [row] = await this.#client`SELECT pg_try_advisory_lock_shared(${SPACE}, ${DATABASE}) AS taken`;
    return row?.taken === true;
  }

  /** Its own chain. A gateway that was retired while it had no connection writes nothing more. */
  async #tryChain(gateway: number): Promise<boolean> {
    if (!(await this.#try(gateway))) return false;
    const [row] = await this.#client`SELECT retired_at FROM gateways WHERE number = ${gateway}`;
    return row?.retired_at == null;
  }

  async #try(what: number): Promise<boolean> {
    const [row] = await this.#client`SELECT pg_try_advisory_lock(${SPACE}, ${what}) AS taken`;
    return row?.taken === true;
  }

  #refusal(advice: string): GatewayError {
    const message = `Another Belay uses the database at ${describeUrl(this.#url)}. ${advice}`;
    return new GatewayError("already-running", message);
  }
}
