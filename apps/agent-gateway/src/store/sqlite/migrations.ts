import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type Database from "better-sqlite3";
import { GatewayError } from "../../errors.ts";

/** Copies of the database from before its last upgrades. */
const KEPT_COPIES = 3;

interface Journal {
  entries: { when: number; tag: string }[];
}

/**
 * Prepares a database for the migrations of this version: refuses one from a newer Belay, and copies
 * an older one first. No other process writes to it now.
 */
export function prepareForMigrations(client: Database.Database, migrationsFolder: string): void {
  const applied = lastApplied(client);
  if (applied === null) return;
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")) as Journal;
  if (entries.every(({ when }) => when < applied)) {
    throw new GatewayError(
      "database-newer",
      `${client.name} was written by a newer version of Belay, and this one could damage it. Start the newer version, or restore a backup that this one made into another folder (belay restore).`,
    );
  }
  const first = entries.find(({ when }) => when > applied);
  if (!first || client.memory) return;
  const folder = join(dirname(client.name), "backups");
  try {
    copyBeforeMigrating(client, folder, `before-${first.tag}.db`);
  } catch (error) {
    throw new GatewayError(
      "data-dir-not-writable",
      `The database must be upgraded, and could not be copied to ${folder} first (${(error as Error).message}). Make room there and start again.`,
      { cause: error },
    );
  }
}

/** It gets its final name only once it is complete. */
function copyBeforeMigrating(client: Database.Database, folder: string, name: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, name);
  if (existsSync(target)) return; // an earlier start made it, and its upgrade failed
  client.pragma("wal_checkpoint(TRUNCATE)");
  copyFileSync(client.name, `${target}.part`);
  renameSync(`${target}.part`, target);
  const copies = readdirSync(folder).filter((file) => /^before-.*\.db$/.test(file));
  for (const old of copies.sort().slice(0, -KEPT_COPIES)) rmSync(join(folder, old));
}

function lastApplied(client: Database.Database): number | null {
  const known = client.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get();
  if (!known) return null;
  const row = client.prepare("SELECT max(created_at) AS last FROM __drizzle_migrations").get();
  return (row as { last: number | null }).last;
}
