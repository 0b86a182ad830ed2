import { chmodSync, closeSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Belay's own files in its data folder. Items in the trash keep their permissions. */
const OWN = [
  "audit-checkpoints.jsonl",
  "backups",
  "belay.db",
  "belay.db.moved",
  "belay.db-shm",
  "belay.db-wal",
  "gateway.lock",
  "gateway.log",
  "host",
  "keys",
  "recordings",
  "security.json",
  "security.json.broken",
  "security.json.discarded",
];

/** Agents can write below it. Closed itself, it closes all that is in it. */
const TERMINALS = "terminals";

/**
 * Restricts the data folder to its owner, even if it existed before or its permissions were changed.
 * The umask is left alone, since terminals inherit it: therefore the database is created here, with the right mode,
 * which SQLite applies to the files beside it.
 */
export function tightenModes(dataDir: string, { hasDatabase }: { hasDatabase: boolean }): void {
  if (hasDatabase) closeSync(openSync(join(dataDir, "belay.db"), "a", 0o600));
  for (const path of [dataDir, join(dataDir, TERMINALS)]) close(path);
  for (const name of OWN) closeTree(join(dataDir, name));
}

function closeTree(path: string): void {
  if (close(path) === "folder") for (const name of readdirSync(path)) closeTree(join(path, name));
}

/** Removes the permissions of group and others; the owner keeps theirs. Links are not followed. */
function close(path: string): "folder" | "other" {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return "other";
  try {
    if ((found.mode & 0o077) !== 0) chmodSync(path, found.mode & 0o700);
  } catch {
    // Another user's file in our folder: we cannot change it, and do not use it.
  }
  return found.isDirectory() ? "folder" : "other";
}
