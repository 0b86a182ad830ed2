import { chmodSync, closeSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What Belay keeps in its data folder. What agents removed is in the trash as it was, modes included. */
const OWN = [
  "audit-checkpoints.jsonl",
  "backups",
  "belay.db",
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
  "terminals",
];

/**
 * Closes the data folder to everyone but its owner, also where the folder was there before or somebody opened it.
 * The umask stays as it is, since terminals inherit it: therefore the database is made here, with the right mode,
 * which SQLite gives to the files beside it.
 */
export function tightenModes(dataDir: string): void {
  closeSync(openSync(join(dataDir, "belay.db"), "a", 0o600));
  close(dataDir);
  for (const name of OWN) closeTree(join(dataDir, name));
}

function closeTree(path: string): void {
  if (close(path) === "folder") for (const name of readdirSync(path)) closeTree(join(path, name));
}

/** Takes away what group and others may do; the owner keeps what they had. Links are not followed. */
function close(path: string): "folder" | "other" {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return "other";
  try {
    if ((found.mode & 0o077) !== 0) chmodSync(path, found.mode & 0o700);
  } catch {
    // Somebody else's file in our folder: not ours to change, and of no use to us.
  }
  return found.isDirectory() ? "folder" : "other";
}
