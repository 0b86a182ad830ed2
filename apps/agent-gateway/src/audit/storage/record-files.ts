import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { LOCK_FILE } from "../../store/lock.ts";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";

/** The size of the next rows of the record, with a margin. */
const ROOM_BYTES = 64 * 1024;

/**
 * The files that the record is written to, and the lock that makes this process its only writer.
 *
 * SQLite keeps writing to a deleted file: every row seems to
 * be there, and all are gone when the process ends. A deleted lock file locks out no other process.
 */
export class RecordFiles {
  readonly #files: { path: string; identity: string | null }[];
  readonly #folder: string | null;

  constructor({ $client: { name, memory } }: SqliteDb) {
    this.#folder = memory ? null : dirname(name);
    const paths = memory ? [] : [name, `${name}-wal`, join(dirname(name), LOCK_FILE)];
    this.#files = paths.map((path) => ({ path, identity: identityOf(path) }));
  }

  /** The path of a file that was removed or replaced; null if none was. */
  findLost(): string | null {
    return this.#files.find(({ path, identity }) => identityOf(path) !== identity)?.path ?? null;
  }

  /** Throws if the disk is full. The database may have some free pages left, but not for long. */
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
