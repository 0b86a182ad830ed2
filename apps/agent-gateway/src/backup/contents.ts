import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * What a backup leaves out: runtime state, files that are copied in another way (the database, the
 * checkpoints), and copies of the database from before an upgrade. Everything else in the data folder is included, so
 * that files of later versions are not forgotten.
 */
const LEFT_OUT = [
  /^belay\.db(-wal|-shm|-journal)?$/,
  /^audit-checkpoints\.jsonl$/,
  /^gateway\.(lock|lock-journal|log)$/,
  /^control\.sock$/,
  /^(host|terminals|backups)$/,
  /^\.(room|backup-.*)$/,
];

export interface BackupEntry {
  /** Relative to the data folder, with slashes. */
  name: string;
  path: string;
  stats: Stats;
}

export interface BackupChoice {
  recordings: boolean;
  trash: boolean;
}

/** Folders before their contents. Sockets and devices have no content and are skipped. */
export async function* listContents(dataDir: string, choice: BackupChoice): AsyncGenerator<BackupEntry> {
  for (const name of (await readdir(dataDir)).sort()) {
    if (LEFT_OUT.some((pattern) => pattern.test(name))) continue;
    if ((name === "recordings" && !choice.recordings) || (name === "trash" && !choice.trash)) continue;
    yield* walk(dataDir, name);
  }
}

async function* walk(dataDir: string, name: string): AsyncGenerator<BackupEntry> {
  const path = join(dataDir, name);
  // Removed while this walked the folder: leave it out, as if it had been removed earlier.
  const stats = await lstat(path).catch(() => null);
  if (!stats || !(stats.isFile() || stats.isDirectory() || stats.isSymbolicLink())) return;
  yield { name, path, stats };
  if (!stats.isDirectory()) return;
  for (const child of (await readdir(path).catch(() => [])).sort()) yield* walk(dataDir, `${name}/${child}`);
}
