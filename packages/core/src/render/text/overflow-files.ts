import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, chown, lstat, mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";

const PRUNE_EVERY_MS = 3_600_000;
const NAME_BYTES = 18;
const NAME = /^output-[\w-]{24}\.txt$/;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Texts that were too long for a reply, kept as files for some days.
 *
 * Their names cannot be guessed, so a link or a file cannot be planted
 * where the next one goes; even then it would not be opened.
 */
export class OverflowFiles {
  readonly #dir: string;
  readonly #now: () => number;
  readonly #maxAgeMs: () => number;
  readonly #maxBytes: () => number | null;
  readonly #groupId: () => number | null;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor({
    dir,
    now,
    maxAgeMs,
    maxBytes,
    groupId = () => null,
  }: {
    dir: string;
    now: () => number;
    maxAgeMs: () => number;
    /** The total size; null: no limit. */
    maxBytes: () => number | null;
    /** A group that may read them besides their owner. */
    groupId?: () => number | null;
  }) {
    this.#groupId = groupId;
    this.#maxBytes = maxBytes;
    this.#dir = dir;
    this.#now = now;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Returns the path that it was written to. */
  async write(text: string): Promise<string> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    if (!(await lstat(this.#dir)).isDirectory()) throw new Error(`"${this.#dir}" is not a folder of its own.`);
    if (this.#now() - this.#prunedAt > PRUNE_EVERY_MS) await this.prune();

    const path = join(this.#dir, `output-${randomBytes(NAME_BYTES).toString("base64url")}.txt`);
    const file = await open(path, CREATE_NEW, 0o600);
    try {
      await file.writeFile(text);
      const groupId = this.#groupId();
      if (groupId !== null) {
        await file.chown(process.getuid?.() ?? 0, groupId);
        await file.chmod(0o640);
        await chown(this.#dir, process.getuid?.() ?? 0, groupId);
        await chmod(this.#dir, 0o750);
      }
    } finally {
      await file.close();
    }
    return path;
  }

  /** Deletes old and excess files, and only those written here. */
  async prune(): Promise<number> {
    const now = this.#now();
    const maxAgeMs = this.#maxAgeMs();
    this.#prunedAt = now;
    const maxBytes = this.#maxBytes() ?? Number.POSITIVE_INFINITY;
    const found: { path: string; mtimeMs: number; size: number }[] = [];
    for (const name of await readdir(this.#dir).catch(() => [])) {
      if (!NAME.test(name)) continue;
      const path = join(this.#dir, name);
      // Another process may prune at the same time.
      const stats = await lstat(path).catch(() => null);
      if (stats) found.push({ path, mtimeMs: stats.mtimeMs, size: stats.size });
    }
    let removed = 0;
    let keptBytes = 0;
    for (const { path, mtimeMs, size } of found.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
      keptBytes += size;
      if (now - mtimeMs <= maxAgeMs && keptBytes <= maxBytes) continue;
      removed += await unlink(path).then(
        () => 1,
        () => 0,
      );
    }
    return removed;
  }
}
