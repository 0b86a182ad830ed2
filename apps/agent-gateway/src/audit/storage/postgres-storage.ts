import { randomBytes } from "node:crypto";
import { chainOf, formatRow } from "@belay/protocol";
import { and, desc, eq, gt, lte } from "drizzle-orm";
import { GatewayError } from "../../errors.ts";
import { keyOfChain } from "../../store/key-of-chain.ts";
import { describeUrl } from "../../store/postgres/explain.ts";
import { inTransaction, inTransactionWithLast, type PostgresDb } from "../../store/postgres/open-database.ts";
import { canBeRefused, change, rowOf } from "../../store/queries.ts";
import { chainRow } from "../chain.ts";
import type { AuditFilter } from "../search/filter.ts";
import { searchPostgres } from "../search/postgres-search.ts";
import type { AuditPage, PageRequest } from "../search/search.ts";
import type { Checkpoint } from "../signing/checkpoints.ts";
import type { ChainStart } from "./chain-start.ts";
import { Refused } from "./group-commit.ts";
import { PostgresChains } from "./postgres-chains.ts";
import { insertRows, isDataError, isRolledBack, makeChanges, type SortedRow } from "./postgres-transaction.ts";
import type { Batch, Entry, Head, OtherChains, RecordStorage } from "./storage.ts";

const CHECKED_AT = "record-checked-at";
/** Rolls back: thrown inside a transaction that must not be committed. */
const ROLL_BACK = new Error("roll back");

interface Options {
  now: () => number;
}

/**
 * The record in PostgreSQL. A batch is one transaction, durable when it is committed.
 *
 * If the connection breaks during a commit, it is not known whether the rows are there. Their callers are told that they are not,
 * so nothing runs; before the next batch the end of the chain is read again, and must be one of the two that are possible.
 */
export class PostgresStorage implements RecordStorage {
  readonly gateway: number;
  readonly others: OtherChains;
  readonly name: string;
  readonly whatToCheck = "the PostgreSQL server";
  readonly writes = {
    type: "queued",
    write: (entries: readonly Entry[], head: Head) => this.#write(entries, head),
  } as const;
  readonly start: ChainStart;
  readonly signedHash: string | null;
  readonly #db: PostgresDb;
  readonly #options: Options;
  /** Where the chain ends if the last commit succeeded, although its answer was lost. */
  #possibleHead: Head | null = null;
  #loss: string | null = null;
  /** The latest time of a row: the next one is not sorted before it. */
  #sortAt: number;

  static async open(db: PostgresDb, options: Options & { signed: Checkpoint | null }): Promise<PostgresStorage> {
    const { signed } = options;
    const { orm, auditEvents } = db;
    const start = await readChainStart(db);
    const row = signed && (await rowOf(orm.select().from(auditEvents).where(eq(auditEvents.seq, signed.seq))));
    return new PostgresStorage(db, options, start, row?.hash ?? null);
  }

  private constructor(db: PostgresDb, options: Options, start: ChainStart, signedHash: string | null) {
    this.#db = db;
    this.#options = options;
    this.gateway = db.gateway;
    this.others = new PostgresChains(db);
    this.#sortAt = start.at;
    this.start = start;
    this.signedHash = signedHash;
    this.name = `PostgreSQL at ${describeUrl(db.$url)}`;
  }

  /** A committed row is on disk. */
  async flush(): Promise<void> {}

  flushNow(): void {}

  findLoss(): string | null {
    return this.#loss;
  }

  async tryWriting({ seq }: Head): Promise<void> {
    await this.#requireLock();
    const at = this.#options.now();
    const event = { type: "gateway.started", actor: { type: "system" } } as const;
    // Beyond the end of the chain, so that it does not wait for a batch that is on its way.
    const probe = chainRow({ seq: seq + 1_000_000, hash: "" }, event, at);
    const undone = inTransaction(this.#db, async (tx) => {
      await insertRows(tx, [{ ...probe, sortAt: at }]);
      throw ROLL_BACK;
    });
    await undone.catch((error) => {
      if (error !== ROLL_BACK) throw error;
    });
    const { orm, meta } = this.#db;
    const value = String(at);
    await change(
      orm.insert(meta).values({ key: CHECKED_AT, value }).onConflictDoUpdate({ target: meta.key, set: { value } }),
    );
  }

  search(filter: AuditFilter, page: PageRequest): Promise<AuditPage> {
    return searchPostgres(this.#db, filter, page);
  }

  /** What PostgreSQL keeps of old row versions is removed by its own vacuum, which runs now for the tables that may have some. */
  async erase<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = await work();
    await this.#db.$sql.unsafe("VACUUM audit_events, commands, approvals, client_calls");
    return result;
  }

  close(): void {}

  async #write(entries: readonly Entry[], known: Head): Promise<Batch> {
    await this.#requireLock();
    const head = await this.#settleHead(known);
    try {
      return await this.#commit(entries, head);
    } catch (error) {
      if (isRolledBack(error)) this.#possibleHead = null;
      // One entry that PostgreSQL cannot store, such as text with a zero byte, must not fail the others.
      if (!isDataError(error) || entries.length === 1) throw error;
      return this.#writeOneByOne(entries, head);
    }
  }

  async #writeOneByOne(entries: readonly Entry[], start: Head): Promise<Batch> {
    let head = start;
    const written: Batch["written"] = [];
    for (const entry of entries) {
      try {
        const batch = await this.#commit([entry], head);
        ({ head } = batch);
        written.push(...batch.written);
      } catch (error) {
        if (!isDataError(error)) throw error;
        this.#possibleHead = null;
        const message = `The record could not be written (${error.message}), so nothing was done.`;
        written.push(new Refused(new GatewayError("record-not-written", message, { cause: error })));
      }
    }
    return { written, head };
  }

  async #commit(entries: readonly Entry[], start: Head): Promise<Batch> {
    let head = start;
    const written = await inTransactionWithLast(this.#db, async (tx, db) => {
      const changes = entries.map(({ also }) => also?.(db) ?? []);
      // An entry that is refused has no row in the chain, so these come before the rows; others may depend on their rows.
      const refusals = await makeChanges(
        tx,
        changes.map((writes) => (canBeRefused(writes) ? writes : [])),
      );
      const rows: SortedRow[] = [];
      const results = entries.map(({ events }, at): Batch["written"][number] => {
        const refusal = refusals[at] ?? null;
        if (refusal !== null) return new Refused(refusal);
        return events.map((event) => {
          const chained = chainRow(head, event, this.#options.now());
          head = chained.row;
          this.#sortAt = Math.max(this.#sortAt, chained.row.at);
          rows.push({ ...chained, sortAt: this.#sortAt });
          return chained.row;
        });
      });
      this.#possibleHead = head;
      const others = changes.filter((writes) => !canBeRefused(writes));
      return { result: results, last: [() => insertRows(tx, rows), () => makeChanges(tx, others)] };
    });
    this.#possibleHead = null;
    return { written, head: { seq: head.seq, hash: head.hash } };
  }

  /** The end of the chain, also if the answer to the last commit was lost. */
  async #settleHead(known: Head): Promise<Head> {
    const possible = this.#possibleHead;
    if (possible === null) return known;
    const { seq, hash } = await readChainStart(this.#db);
    const isOneOf = [known, possible].some((head) => head.seq === seq && head.hash === hash);
    if (!isOneOf) {
      this.#loss = `The record in ${this.name} ends at row ${formatRow(seq)}, which this gateway did not write, so nothing is done. Stop Belay, verify the record, and start it again.`;
      throw new GatewayError("record-not-whole", this.#loss);
    }
    this.#possibleHead = null;
    return { seq, hash };
  }

  async #requireLock(): Promise<void> {
    if (await this.#db.$locks.take()) return;
    throw new Error("another gateway uses the database, or this gateway's part of it");
  }
}

/** The chain begins at a random value, so that two empty logs are not interchangeable. */
async function readChainStart({ orm, auditEvents, meta, gateway }: PostgresDb): Promise<ChainStart> {
  const { base, end } = chainOf(gateway);
  const genesisRow = { key: keyOfChain("audit-genesis", gateway), value: randomBytes(32).toString("hex") };
  await change(orm.insert(meta).values(genesisRow).onConflictDoNothing());
  const genesis = (await rowOf(orm.select().from(meta).where(eq(meta.key, genesisRow.key))))?.value ?? "";
  const isOwn = and(gt(auditEvents.seq, base), lte(auditEvents.seq, end));
  const last = await rowOf(orm.select().from(auditEvents).where(isOwn).orderBy(desc(auditEvents.seq)).limit(1));
  const sortAt = (last as { sortAt?: number } | undefined)?.sortAt ?? 0;
  return { genesis, seq: last?.seq ?? base, hash: last?.hash ?? genesis, at: Math.max(last?.at ?? 0, sortAt) };
}
