import type { Statement } from "better-sqlite3";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";
import type { WalSync } from "../../store/sqlite/wal-sync.ts";
import { yieldToEventLoop } from "../rows.ts";

/** A batch of this many rows takes a few milliseconds, which is how long others may have to wait. */
const ROWS_AT_ONCE = 100;
/** The debounce time between the last new row and indexing it. */
const QUIET_MS = 300;
/** Under constant load, the most rows that are left for the next search to index. */
const MOST_BEHIND = 2_000;

const INDEXED_SEQ = "audit-indexed-seq";
const INDEX = `INSERT INTO audit_search (rowid, text)
  SELECT seq, concat_ws(' ', type, json_extract(actor, '$.id'), command_id, terminal_id,
    (SELECT group_concat(tree.atom, ' ') FROM json_tree(detail) AS tree WHERE tree.type = 'text'))
  FROM audit_events WHERE seq > @after AND seq <= @upTo`;

/**
 * Adds new rows to the full-text index, after the commands that wrote them.
 *
 * The index is complete up to a row whose number is stored with it in the same transaction, so a killed gateway
 * continues where it stopped. A search indexes the remaining rows first.
 */
export class SearchIndex {
  readonly #db: SqliteDb;
  readonly #wal: Pick<WalSync, "commit">;
  readonly #index: Statement<[{ after: number; upTo: number }]>;
  readonly #keep: Statement<[{ upTo: string }]>;
  #indexedSeq: number;
  #lastSeq: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(db: SqliteDb, wal: Pick<WalSync, "commit">, lastSeq: number) {
    this.#db = db;
    this.#wal = wal;
    this.#index = db.$client.prepare(INDEX);
    this.#keep = db.$client.prepare(
      `INSERT INTO meta (key, value) VALUES ('${INDEXED_SEQ}', @upTo) ON CONFLICT (key) DO UPDATE SET value = @upTo`,
    );
    const stored = db.$client.prepare(`SELECT value FROM meta WHERE key = '${INDEXED_SEQ}'`).pluck().get();
    this.#indexedSeq = Number(stored ?? 0);
    this.#lastSeq = lastSeq;
    if (this.#behind > 0) this.#plan();
  }

  /** There are rows up to this one. */
  grownTo(seq: number): void {
    this.#lastSeq = seq;
    if (this.#behind > MOST_BEHIND)
      void this.catchUp().catch(() => {}); // tried again with the next row
    else this.#plan();
  }

  /** Resolves once all current rows are indexed. */
  async catchUp(): Promise<void> {
    const upTo = this.#lastSeq;
    // Two concurrent runs would index the same rows.
    while (this.#indexedSeq < upTo && !this.#isClosed) {
      this.#running ??= this.#putIn(upTo).finally(() => {
        this.#running = null;
      });
      await this.#running;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get #behind(): number {
    return this.#lastSeq - this.#indexedSeq;
  }

  #plan(): void {
    if (this.#timer) this.#timer.refresh();
    // If it fails, the disk is full, and the next row tries again.
    else this.#timer = setTimeout(() => void this.catchUp().catch(() => {}), QUIET_MS).unref();
  }

  async #putIn(upTo: number): Promise<void> {
    while (this.#indexedSeq < upTo && !this.#isClosed) {
      const next = Math.min(upTo, this.#indexedSeq + ROWS_AT_ONCE);
      // Not synced to disk: rows lost in a power failure are indexed again.
      this.#wal.commit(() =>
        this.#db.$client.transaction(() => {
          this.#index.run({ after: this.#indexedSeq, upTo: next });
          this.#keep.run({ upTo: String(next) });
        })(),
      );
      this.#indexedSeq = next;
      await yieldToEventLoop();
    }
  }
}

/** Merges the full-text index in small steps: only merging drops the words of deleted rows. */
export async function mergeSearchIndex({ $client }: SqliteDb): Promise<void> {
  const merge = $client.prepare("INSERT INTO audit_search(audit_search, rank) VALUES ('merge', ?)");
  const total = $client.prepare("SELECT total_changes()").pluck();
  let pages = -64; // negative: start a merge of all segments
  let changed: number;
  do {
    const before = Number(total.get());
    merge.run(pages);
    pages = 64;
    changed = Number(total.get()) - before;
    await yieldToEventLoop();
  } while (changed >= 2);
}
