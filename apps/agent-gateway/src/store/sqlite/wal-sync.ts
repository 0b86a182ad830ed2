import { closeSync, constants, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type Database from "better-sqlite3";

const FULL = 2;

/**
 * Flushes commits to disk without blocking this thread.
 *
 * With `synchronous = FULL` SQLite waits for the disk inside every commit, and keys, output and other agents'
 * commands wait with it. A commit made here only hands its pages to the system; the write-ahead log is flushed by
 * another thread, and the rows count as written once `flush` resolves. This cannot damage the database:
 * SQLite still flushes the log before it copies anything out of it.
 */
export class WalSync {
  readonly #client: Database.Database;
  /** Null for a database that does not wait for a disk: in memory, or configured not to. */
  readonly #descriptor: number | null;

  /** The log must exist already: something was written since the database was opened. */
  constructor(client: Database.Database) {
    this.#client = client;
    const waits = !client.memory && Number(client.pragma("synchronous", { simple: true })) >= FULL;
    this.#descriptor = waits ? openSync(`${client.name}-wal`, constants.O_RDONLY) : null;
  }

  /** Runs a transaction that does not wait for the disk. It may be lost until it is flushed. */
  commit<Result>(write: () => Result): Result {
    // Inside another transaction, that one's commit counts.
    if (this.#descriptor === null || this.#client.inTransaction) return write();
    this.#client.exec("PRAGMA synchronous = NORMAL");
    try {
      return write();
    } finally {
      this.#client.exec("PRAGMA synchronous = FULL");
    }
  }

  /** Resolves once everything committed so far is on disk. */
  flush(): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      fdatasync(descriptor, (error) => (error ? reject(error) : resolve()));
    });
  }

  flushNow(): void {
    if (this.#descriptor !== null) fdatasyncSync(this.#descriptor);
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
  }
}
