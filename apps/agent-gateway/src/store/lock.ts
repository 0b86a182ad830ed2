import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { GatewayError } from "../errors.ts";
import { findDamage } from "./sqlite/damage.ts";

/** In the data folder, beside the database. */
export const LOCK_FILE = "gateway.lock";

/**
 * Locks a data folder for one process at a time.
 *
 * It uses SQLite's own file lock, which the kernel releases however the process
 * ends, so there is no stale lock to clean up.
 */
export function acquireLock(file: string): { release(): void } | null {
  // Created first, because SQLite gives its journal the permissions of the file.
  closeSync(openSync(file, "a", 0o600));
  const client = new Database(file, { timeout: 0 });
  try {
    client.pragma("locking_mode = EXCLUSIVE");
    client.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    client.close();
    if (error instanceof Database.SqliteError && error.code === "SQLITE_BUSY") return null;
    if (!findDamage(error)) throw error;
    throw new GatewayError("database-damaged", `${file} is damaged. Nothing is kept in it: remove it and try again.`);
  }
  return { release: () => client.close() };
}
