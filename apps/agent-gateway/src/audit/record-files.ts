import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Db } from "../store/database.ts";
import { LOCK_FILE } from "../store/lock.ts";

/** What the next rows of the record take, and some more. */
const ROOM_BYTES = 64 * 1024;

/**
 * The files that the record is written to, and the lock that makes this process its only writer.
 *
 * SQLite goes on writing to a file that somebody has removed: every row seems to
 * be there, and all of them are gone when the process ends. A lock that was removed locks nobody out.
 */
export class RecordFiles {
  readonly #files: { path: string; identity: string | null }[];
  readonly #folder: string | null;

  constructor({ $client: { name, memory } }: Db) {
    this.#folder = memory ? null : dirname(name);
    const paths = memory ? [] : [name, `${name}-wal`, join(dirname(name), LOCK_FILE)];
    this.#files = paths.map((path) => ({ path, identity: identityOf(path) }));
  }

  /** The path of a file that is no longer the one that is open; null where all are. */
  findLost(): string | null {
    return this.#files.find(({ path, identity }) => identityOf(path) !== identity)?.path ?? null;
  }

  /** Throws where the disk has no room for more. The database may still have some of its own, but not for long. */
  requireRoom(): void {
    if (this.#folder === null) return;
    const probe = join(this.#folder, ".room");
    const descriptor = openSync(probe, "w", 0o600);
    try {
      if (writeSync(descriptor, Buffer.alloc(ROOM_BYTES)) < ROOM_BYTES) throw new Error("The disk is full.");
    } finally {
      closeSync(descriptor);
      rmSync(probe, { force: true });
    }
  }
}

function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}
