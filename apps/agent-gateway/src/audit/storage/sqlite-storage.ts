import { randomBytes } from "node:crypto";
import type { AuditEvent } from "@belay/protocol";
import type { Statement } from "better-sqlite3";
import { GatewayError } from "../../errors.ts";
import { LOCK_FILE } from "../../store/lock.ts";
import { canBeRefused, type Write } from "../../store/queries.ts";
import { executeAll, type SqliteDb } from "../../store/sqlite/open-database.ts";
import { WalSync } from "../../store/sqlite/wal-sync.ts";
import { type ChainedRow, chainRow } from "../chain.ts";
import { ClockJumps } from "../search/clock-jumps.ts";
import type { AuditFilter } from "../search/filter.ts";
import { type AuditPage, type PageRequest, searchRecord } from "../search/search.ts";
import { mergeSearchIndex, SearchIndex } from "../search/search-index.ts";
import type { Checkpoint } from "../signing/checkpoints.ts";
import type { ChainStart } from "./chain-start.ts";
import { Refused } from "./group-commit.ts";
import { RecordFiles } from "./record-files.ts";
import type { Batch, Entry, Head, RecordStorage } from "./storage.ts";
import { tryWriting } from "./try-writing.ts";

const INSERT = `INSERT INTO audit_events (seq, at, type, actor, command_id, terminal_id, detail, hash)
  VALUES (@seq, @at, @type, @actor, @commandId, @terminalId, @detail, @hash)`;

interface Options {
  now: () => number;
  /** The newest checkpoint. */
  signed: Checkpoint | null;
  /** Searches beside this thread; without it, rows are searched on it. */
  search?: RecordStorage["search"];
}

/** The record in a SQLite file. A batch is written at once, and its pages are flushed by another thread. */
export class SqliteStorage implements RecordStorage {
  readonly gateway = 0;
  readonly others = null;
  readonly name: string;
  readonly whatToCheck = "the disk of Belay's data folder";
  readonly start: ChainStart;
  readonly signedHash: string | null;
  readonly writes = {
    type: "sync",
    write: (entries: readonly Entry[], head: Head) => this.#write(entries, head),
  } as const;
  readonly #db: SqliteDb;
  readonly #options: Options;
  // Prepared once: building the statement each time takes three times as long as running it.
  readonly #insert: Statement<[ChainedRow["stored"]]>;
  readonly #changeAll: typeof executeAll;
  readonly #writeAll: (entries: readonly Entry[]) => Batch["written"];
  readonly #wal: WalSync;
  readonly #files: RecordFiles;
  readonly #index: SearchIndex;
  readonly #clock: ClockJumps;
  /** The end of the chain inside the open transaction. */
  #head: Head;

  constructor(db: SqliteDb, options: Options) {
    this.#db = db;
    this.#options = options;
    const { $client } = db;
    this.name = $client.name;
    this.start = readChainStart(db);
    this.signedHash = options.signed && hashAt(db, options.signed.seq);
    this.#head = this.start;
    this.#insert = $client.prepare(INSERT);
    // A nested transaction is a savepoint: an error in it rolls back only its own changes.
    this.#changeAll = $client.transaction(executeAll);
    this.#writeAll = $client.transaction((entries: readonly Entry[]) => entries.map((entry) => this.#tryOne(entry)));
    this.#wal = new WalSync($client);
    this.#files = new RecordFiles(db);
    this.#index = new SearchIndex(db, this.#wal, this.start.seq);
    this.#clock = new ClockJumps(db, this.start.at);
  }

  flush(): Promise<void> {
    return this.#wal.flush();
  }

  flushNow(): void {
    this.#wal.flushNow();
  }

  /** SQLite does not notice when its file is removed, and would keep writing to the deleted file. */
  findLoss(): string | null {
    const lost = this.#files.findLost();
    if (lost === null) return null;
    const wayOut = lost.endsWith(LOCK_FILE) ? "Stop Belay" : "Stop Belay, restore the file from a backup,";
    return `${lost} was removed or replaced while Belay was running, so the record is not safe and nothing is done. ${wayOut} and start it again.`;
  }

  tryWriting({ seq }: Head): void {
    this.#files.requireRoom();
    tryWriting(this.#db, this.#insert, { seq: seq + 1, at: this.#options.now() });
  }

  async search(filter: AuditFilter, page: PageRequest): Promise<AuditPage> {
    await this.#index.catchUp();
    const { search } = this.#options;
    return search ? search(filter, page) : searchRecord(this.#db, filter, page);
  }

  /** Deleted data is overwritten. Some may still be in the write-ahead log, which is truncated afterwards. */
  async erase<Result>(work: () => Promise<Result>): Promise<Result> {
    const { $client } = this.#db;
    $client.pragma("secure_delete = ON");
    try {
      const result = await work();
      await mergeSearchIndex(this.#db);
      $client.pragma("wal_checkpoint(TRUNCATE)");
      return result;
    } finally {
      $client.pragma("secure_delete = OFF");
    }
  }

  close(): void {
    this.#index.close();
    this.#wal.close();
  }

  #write(entries: readonly Entry[], head: Head): Batch {
    this.#head = head;
    const written = this.#wal.commit(() => this.#writeAll(entries));
    this.#index.grownTo(this.#head.seq);
    return { written, head: this.#head };
  }

  /** A refusal concerns only its own entry; an error from the database concerns all of them. */
  #tryOne(entry: Entry): AuditEvent[] | Refused {
    try {
      return this.#writeOne(entry);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return new Refused(error);
    }
  }

  #writeOne({ events, also }: Entry): AuditEvent[] {
    const writes = also?.(this.#db) ?? [];
    const isCertain = !canBeRefused(writes);
    // An entry that is refused has no row in the chain, so these come before the rows; others may depend on their rows.
    if (!isCertain) this.#changeOrRefuse(writes);
    const written = events.map((event) => this.#chain(event));
    if (isCertain) executeAll(writes);
    return written;
  }

  /** A single change that is refused has changed nothing. Several need a savepoint, for which SQLite first copies each page that they change. */
  #changeOrRefuse(writes: readonly Write[]): void {
    if (writes.length === 1) executeAll(writes);
    else this.#changeAll(writes);
  }

  #chain(event: Entry["events"][number]): AuditEvent {
    const { row, stored } = chainRow(this.#head, event, this.#options.now());
    this.#insert.run(stored);
    this.#clock.see(row.seq, row.at);
    this.#head = row;
    return row;
  }
}

/** The chain begins at a random value, so that two empty logs are not interchangeable. */
function readChainStart({ $client }: SqliteDb): ChainStart {
  $client
    .prepare("INSERT INTO meta (key, value) VALUES ('audit-genesis', ?) ON CONFLICT DO NOTHING")
    .run(randomBytes(32).toString("hex"));
  const genesis = String($client.prepare("SELECT value FROM meta WHERE key = 'audit-genesis'").pluck().get());
  const last = $client.prepare("SELECT seq, hash, at FROM audit_events ORDER BY seq DESC LIMIT 1").get();
  return { genesis, ...((last as Omit<ChainStart, "genesis"> | undefined) ?? { seq: 0, hash: genesis, at: 0 }) };
}

function hashAt({ $client }: SqliteDb, seq: number): string | null {
  const hash = $client.prepare("SELECT hash FROM audit_events WHERE seq = ?").pluck().get(seq);
  return hash === undefined ? null : String(hash);
}
