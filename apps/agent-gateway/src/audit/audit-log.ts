import { redactJson } from "@belay/core";
import type { Actor, AuditEvent, AuditEventType, CommandId, TerminalId } from "@belay/protocol";
import type { Statement } from "better-sqlite3";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { LOCK_FILE } from "../store/lock.ts";
import { auditEvents } from "../store/schema.ts";
import { WalSync } from "../store/sqlite/wal-sync.ts";
import { canonical, hashRow } from "./chain.ts";
import { findLoss, readChainStart } from "./chain-start.ts";
import { GroupCommit, Refused } from "./group-commit.ts";
import { RecordFiles } from "./record-files.ts";
import { readRows, yieldToEventLoop } from "./rows.ts";
import { ClockJumps } from "./search/clock-jumps.ts";
import { type AuditFilter, type AuditPage, type PageRequest, searchRecord } from "./search/search.ts";
import { SearchIndex } from "./search/search-index.ts";
import type { Checkpoint, Checkpoints } from "./signing/checkpoints.ts";
import { Signatures } from "./signing/signatures.ts";
import { tryWriting } from "./try-writing.ts";
import { ROWS_PER_CHECKPOINT, type Verification, verifyRecord } from "./verify.ts";
import { type ChainPlace, findPlace } from "./views/chain-place.ts";

const INSERT = `INSERT INTO audit_events (seq, at, type, actor, command_id, terminal_id, detail, hash)
  VALUES (@seq, @at, @type, @actor, @commandId, @terminalId, @detail, @hash)`;
type StoredRow = typeof auditEvents.$inferInsert;

const CHECK_AT_MOST_EVERY_MS = 1000;
const CHECKPOINTS_AT_ONCE = 200;

export interface NewAuditEvent {
  type: AuditEventType;
  actor: Actor;
  commandId?: CommandId;
  terminalId?: TerminalId;
  detail?: AuditEvent["detail"];
}

/** Rows that belong together. */
interface Entry {
  events: readonly NewAuditEvent[];
  also: ((db: Db) => void) | undefined;
  isSeenAtOnce: boolean;
}

type Written = AuditEvent[] | Refused;

/** Counts written and failed rows. */
export interface AuditWatch {
  rowWritten(event: Pick<AuditEvent, "type" | "detail">, seconds: number): void;
  rowRefused(): void;
}

interface AuditLogOptions {
  db: Db;
  now: () => number;
  checkpoints: Checkpoints;
  watch?: AuditWatch | null;
  /** Searches beside this thread; without it, rows are searched on it. */
  search?: typeof AuditLog.prototype.search;
}

/**
 * The record of everything that happened. One writer, one chain.
 *
 * `append` resolves once the row is on disk (WAL, flushed). It fails
 * if the row cannot be written, so that the caller stops. It is the
 * only way to add rows, so secrets in known formats are redacted here.
 */
export class AuditLog {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #checkpoints: Checkpoints;
  readonly #genesis: string;
  // Prepared once: building the statement each time takes three times as long as running it.
  readonly #insert: Statement<[StoredRow]>;
  readonly #writeOne: (entry: Entry) => AuditEvent[];
  readonly #writeAll: (entries: readonly Entry[]) => Written[];
  readonly #wal: WalSync;
  readonly #commits: GroupCommit<Entry, AuditEvent[]>;
  readonly #index: SearchIndex;
  readonly #clock: ClockJumps;
  #seq: number;
  #hash: string;
  readonly #signatures: Signatures;
  #lastBatchRows = 0;
  #problem: string | null = null;
  /** Written rows are lost, which cannot be repaired while this runs. */
  #loss: string | null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  readonly #files: RecordFiles;
  readonly #watch: AuditWatch | null;
  readonly #search: NonNullable<AuditLogOptions["search"]>;

  constructor({ db, now, checkpoints, watch = null, search }: AuditLogOptions) {
    this.#search = search ?? ((filter, page) => searchRecord(db, filter, page));
    this.#watch = watch;
    this.#db = db;
    this.#now = now;
    this.#checkpoints = checkpoints;
    const start = readChainStart(db);
    this.#genesis = start.genesis;
    this.#insert = db.$client.prepare(INSERT);
    // A nested transaction is a savepoint: an error in it rolls back only its own rows.
    this.#writeOne = db.$client.transaction(({ events, also }: Entry) => {
      const written = events.map((event) => this.#chain(event));
      also?.(db);
      return written;
    });
    this.#writeAll = db.$client.transaction((entries: readonly Entry[]) => entries.map((entry) => this.#tryOne(entry)));
    this.#wal = new WalSync(db.$client);
    this.#commits = new GroupCommit({
      write: (entries) => this.#write(entries),
      isSeenAtOnce: (entry) => entry.isSeenAtOnce,
      batchOf: (entries) => batchOf(entries),
      flush: () => this.#wal.flush().catch((error: unknown) => this.#notOnDisk(error)),
      // If another batch like the last one would leave too many rows unsigned, they are signed before it comes.
      afterFlush: () => (this.#signatures.isDueBefore(this.#lastBatchRows) ? this.#signatures.signSoon() : null),
      flushNow: () => {
        try {
          this.#wal.flushNow();
        } catch (error) {
          this.#notOnDisk(error);
        }
      },
    });
    this.#seq = start.seq;
    this.#hash = start.hash;
    this.#signatures = new Signatures({
      checkpoints,
      wal: this.#wal,
      genesis: start.genesis,
      now,
      head: () => ({ seq: this.#seq, hash: this.#hash }),
      isDamaged: () => this.#loss !== null,
      notOnDisk: (error) => this.#notOnDisk(error),
    });
    this.#files = new RecordFiles(db);
    this.#index = new SearchIndex(db, this.#wal, this.#seq);
    this.#clock = new ClockJumps(db, start.at);
    const loss = findLoss(db, start, checkpoints.latest());
    this.#loss =
      loss &&
      `The record in ${db.$client.name} is damaged, so nothing is done. ${loss} Restore it from a backup. To continue without the lost rows, move ${checkpoints.file} elsewhere and keep it, since it proves what the record contained; then start again.`;
  }

  /** `also` runs in the same transaction: both are written or neither is. */
  async append(event: NewAuditEvent, also?: (db: Db) => void): Promise<AuditEvent> {
    const [written] = await this.#add({ events: [event], also, isSeenAtOnce: also !== undefined });
    return written as AuditEvent;
  }

  /**
   * Several rows that are written together, or none is. What others append in the same moment goes to the disk with
   * them. What `also` changes may be seen by others a moment before this settles.
   */
  appendAll(events: readonly NewAuditEvent[], also?: (db: Db) => void): Promise<AuditEvent[]> {
    return this.#add({ events, also, isSeenAtOnce: false });
  }

  /** Writes all pending rows now. */
  flush(): void {
    this.#commits.flushNow();
  }

  /** The number of rows, and up to which row they are signed outside the database; null if nothing is signed yet. */
  get standing(): { rows: number; checkpointFile: string; signed: Pick<Checkpoint, "seq" | "at"> | null } {
    const latest = this.#checkpoints.latest();
    const signed = latest && { seq: latest.seq, at: latest.at };
    return { rows: this.#seq, checkpointFile: this.#checkpoints.file, signed };
  }

  /** Null where the last row could be written. */
  get problem(): string | null {
    return this.#loss ?? this.#problem;
  }

  /** Damage to the record that is visible without reading all of it; null if there is none. */
  get loss(): string | null {
    return this.#loss;
  }

  /** Checks whether rows can be written now, by writing something else, and what prevents it. */
  check(): string | null {
    if (performance.now() - this.#checkedAt < CHECK_AT_MOST_EVERY_MS) return this.problem;
    this.#checkedAt = performance.now();
    try {
      this.#requireWhole();
      this.#orRefuse(() => {
        this.#files.requireRoom();
        tryWriting(this.#db, this.#insert, { seq: this.#seq + 1, at: this.#now() });
      });
    } catch {
      // It is stored as the problem.
    }
    return this.problem;
  }

  /**
   * Verifies the whole record, optionally against a copy of the checkpoints that was kept elsewhere.
   * `onRow` is called for every row that was read.
   */
  async verify(copy: readonly string[] = [], onRow?: () => void): Promise<Verification> {
    this.flush();
    const head = { seq: this.#seq, hash: this.#hash };
    const checkpoints: (Checkpoint | null)[] = [];
    for (const [index, line] of [...this.#checkpoints.lines(), ...copy].entries()) {
      if (index % CHECKPOINTS_AT_ONCE === 0) await yieldToEventLoop();
      checkpoints.push(this.#checkpoints.read(line));
    }
    return verifyRecord({ genesis: this.#genesis, rows: readRows(this.#db, 0, onRow), checkpoints, head });
  }

  /** The position of a row in the chain; null if there is no such row. */
  place(seq: number): Promise<ChainPlace | null> {
    return findPlace(this.#db, this.#checkpoints, { seq, genesis: this.#genesis });
  }

  async count(): Promise<number> {
    return this.#db.$count(auditEvents);
  }

  /** The rows that match, a page at a time. */
  async search(filter: AuditFilter, page: PageRequest): Promise<AuditPage> {
    this.flush();
    await this.#index.catchUp();
    return this.#search(filter, page);
  }

  /** The newest rows, newest first. */
  async list(limit: number): Promise<AuditEvent[]> {
    return (await this.search({}, { cursor: null, limit })).events;
  }

  /** Signs the rows up to this one, so that they can be removed without breaking the chain. */
  seal({ seq, hash }: { seq: number; hash: string }): void {
    this.#wal.flushNow();
    this.#orRefuse(() => this.#checkpoints.append({ genesis: this.#genesis, seq, hash, at: this.#now(), seals: true }));
  }

  /** Signs all rows, if possible. Nothing may be appended afterwards. */
  close(): void {
    this.flush();
    this.#index.close();
    this.#signatures.close();
    this.#wal.close();
  }

  async #add(entry: Entry): Promise<AuditEvent[]> {
    const startedAt = performance.now();
    const written = await this.#commits.add(entry);
    const seconds = (performance.now() - startedAt) / 1000;
    for (const row of written) this.#watch?.rowWritten(row, seconds);
    return written;
  }

  #write(entries: readonly Entry[]): Written[] {
    const before = { seq: this.#seq, hash: this.#hash };
    let results: Written[] = [];
    try {
      this.#requireWhole();
      this.#lastBatchRows = rowsOf(entries);
      if (this.#signatures.isDueBefore(this.#lastBatchRows)) this.#orRefuse(() => this.#signatures.signNow());
      this.#orRefuse(() => {
        results = this.#wal.commit(() => this.#writeAll(entries));
      });
    } catch (error) {
      this.#seq = before.seq;
      this.#hash = before.hash;
      throw error;
    }
    this.#signatures.plan();
    this.#index.grownTo(this.#seq);
    return results;
  }

  /** After a failed fsync, the next may succeed without writing the lost pages, so nothing more is written. */
  #notOnDisk(error: unknown): never {
    const why = error instanceof Error ? error.message : String(error);
    this.#loss = `The disk of Belay's data folder could not store the record (${why}), so nothing is done. Check the disk, then start Belay again.`;
    this.#watch?.rowRefused();
    throw new GatewayError("record-not-written", this.#loss, { cause: error });
  }

  /** An error from `also` concerns only its own rows; one from the database concerns all of them. */
  #tryOne(entry: Entry): Written {
    const before = { seq: this.#seq, hash: this.#hash };
    try {
      return this.#writeOne(entry);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.#seq = before.seq;
      this.#hash = before.hash;
      return new Refused(error);
    }
  }

  #chain(event: NewAuditEvent): AuditEvent {
    const row = {
      seq: this.#seq + 1,
      at: this.#now(),
      type: event.type,
      actor: event.actor,
      commandId: event.commandId ?? null,
      terminalId: event.terminalId ?? null,
      detail: redactJson(event.detail ?? {}),
    };
    const texts = { actor: canonical(row.actor), detail: canonical(row.detail) };
    const hash = hashRow(this.#hash, row, texts);
    this.#insert.run({ ...row, ...texts, hash });
    this.#clock.see(row.seq, row.at);
    this.#seq = row.seq;
    this.#hash = hash;
    return { ...row, hash };
  }

  /** SQLite does not notice when its file is removed, and would keep writing to the deleted file. */
  #requireWhole(): void {
    const lost = this.#loss === null ? this.#files.findLost() : null;
    if (lost !== null) {
      const wayOut = lost.endsWith(LOCK_FILE) ? "Stop Belay" : "Stop Belay, restore the file from a backup,";
      this.#loss = `${lost} was removed or replaced while Belay was running, so the record is not safe and nothing is done. ${wayOut} and start it again.`;
    }
    if (this.#loss === null) return;
    this.#watch?.rowRefused();
    throw new GatewayError("record-not-whole", this.#loss);
  }

  #orRefuse(write: () => void): void {
    try {
      write();
      this.#problem = null;
    } catch (error) {
      if (error instanceof GatewayError) throw error; // thrown by `also`
      const why = error instanceof Error ? error.message : String(error);
      const message = `The record could not be written (${why}), so nothing was done. An administrator has to check the disk of Belay's data folder.`;
      this.#problem = message;
      this.#watch?.rowRefused();
      throw new GatewayError("record-not-written", message, { cause: error });
    }
  }
}

/** A batch never has more rows than may be without a signature. */
function batchOf(entries: readonly Entry[]): number {
  let rows = 0;
  const tooMany = entries.findIndex(({ events }) => {
    rows += events.length;
    return rows > ROWS_PER_CHECKPOINT;
  });
  return tooMany < 0 ? entries.length : Math.max(1, tooMany);
}

function rowsOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { events }) => sum + events.length, 0);
}
