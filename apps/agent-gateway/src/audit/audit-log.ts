import { type AuditEvent, chainOf } from "@belay/protocol";
import type { Db } from "../store/database.ts";
import type { Writes } from "../store/queries.ts";
import { type AuditWatch, RecordWriter } from "./record-writer.ts";
import { countRows, yieldToEventLoop } from "./rows.ts";
import type { AuditFilter } from "./search/filter.ts";
import type { AuditPage, PageRequest } from "./search/search.ts";
import type { Checkpoint, Checkpoints } from "./signing/checkpoints.ts";
import type { NewAuditEvent, RecordStorage } from "./storage/storage.ts";
import type { Verification } from "./verify.ts";
import { verifyChains } from "./verify-chains.ts";
import { type ChainPlace, findPlace } from "./views/chain-place.ts";

export type { AuditWatch, NewAuditEvent };

const CHECKPOINTS_AT_ONCE = 200;

interface AuditLogOptions {
  db: Db;
  storage: RecordStorage;
  now: () => number;
  checkpoints: Checkpoints;
  watch?: AuditWatch | null;
}

/**
 * The record of everything that happened. One writer, one chain; other gateways on the same database have theirs.
 *
 * `append` resolves once the row is on disk. It fails if the row cannot be written, so that the caller stops. It is the
 * only way to add rows.
 */
export class AuditLog {
  readonly #db: Db;
  readonly #storage: RecordStorage;
  readonly #checkpoints: Checkpoints;
  readonly #writer: RecordWriter;

  constructor({ db, storage, now, checkpoints, watch = null }: AuditLogOptions) {
    this.#db = db;
    this.#storage = storage;
    this.#checkpoints = checkpoints;
    this.#writer = new RecordWriter({ storage, now, checkpoints, watch });
  }

  /** `also` is committed with the row: both are written or neither is. */
  async append(event: NewAuditEvent, also?: Writes): Promise<AuditEvent> {
    const [written] = await this.#writer.add({ events: [event], also, isSeenAtOnce: also !== undefined });
    return written as AuditEvent;
  }

  /**
   * Several rows that are written together, or none is. What others append in the same moment goes to the disk with
   * them. What `also` changes may be seen by others a moment before this settles: `onCommitted` is called then.
   */
  appendAll(events: readonly NewAuditEvent[], also?: Writes, onCommitted?: () => void): Promise<AuditEvent[]> {
    return this.#writer.add({ events, also, isSeenAtOnce: false, onCommitted });
  }

  /** Resolves once all pending rows are written. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** The number of rows, and up to which row they are signed outside the database; null if nothing is signed yet. */
  get standing(): { rows: number; checkpointFile: string; signed: Pick<Checkpoint, "seq" | "at"> | null } {
    const latest = this.#checkpoints.latest();
    const signed = latest && { seq: latest.seq, at: latest.at };
    const rows = this.#writer.head.seq - chainOf(this.#storage.gateway).base;
    return { rows, checkpointFile: this.#checkpoints.file, signed };
  }

  /** Null if the last row could be written. */
  get problem(): string | null {
    return this.#writer.problem;
  }

  /** Damage to the record that is visible without reading all of it; null if there is none. */
  get loss(): string | null {
    return this.#writer.loss;
  }

  /** Checks whether rows can be written now, by writing something else, and what prevents it. */
  check(): Promise<string | null> {
    return this.#writer.check();
  }

  /**
   * Verifies the chains of all gateways on the database, optionally against a copy of the checkpoints that was kept elsewhere.
   * `onRow` is called for every row that was read.
   */
  async verify(copy: readonly string[] = [], onRow?: () => void): Promise<Verification> {
    await this.flush();
    const { head } = this.#writer;
    const checkpoints: (Checkpoint | null)[] = [];
    const foreign: string[] = [];
    const own = this.#checkpoints.lines();
    for (const [index, line] of [...own, ...copy].entries()) {
      if (index % CHECKPOINTS_AT_ONCE === 0) await yieldToEventLoop();
      const checkpoint = this.#checkpoints.read(line);
      if (checkpoint || index < own.length) checkpoints.push(checkpoint);
      else foreign.push(line);
    }
    const { start, gateway, others } = this.#storage;
    const chain = { gateway, genesis: start.genesis, head };
    const { publicKey } = this.#checkpoints;
    return verifyChains({ db: this.#db, own: chain, publicKey, others, checkpoints, foreign, onRow });
  }

  /** The position of a row in the chain; null if there is no such row. */
  place(seq: number): Promise<ChainPlace | null> {
    return findPlace(this.#db, this.#checkpoints, { seq, gateway: this.#storage.gateway });
  }

  count(): Promise<number> {
    return countRows(this.#db);
  }

  /** The rows that match, a page at a time. */
  async search(filter: AuditFilter, page: PageRequest): Promise<AuditPage> {
    await this.flush();
    return this.#storage.search(filter, page);
  }

  /** The newest rows, newest first. */
  async list(limit: number): Promise<AuditEvent[]> {
    return (await this.search({}, { cursor: null, limit })).events;
  }

  /** Signs the rows up to this one, so that they can be removed without breaking the chain. */
  seal(row: { seq: number; hash: string }): Promise<void> {
    return this.#writer.seal(row);
  }

  /** The same for a row of a gateway that was retired. */
  sealFor(row: { gateway: number; seq: number; hash: string }): Promise<void> {
    return this.#writer.sealFor(row);
  }

  /** Signs where the chains of other gateways end, if they have grown. */
  witness(): Promise<void> {
    return this.#writer.witness();
  }

  /** Runs work that deletes or overwrites data, so that nothing of it is left where it was stored. */
  erase<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#storage.erase(work);
  }

  /** Signs all rows, if possible. Nothing may be appended afterwards. */
  async close(): Promise<void> {
    await this.#writer.close();
    this.#storage.close();
  }
}
