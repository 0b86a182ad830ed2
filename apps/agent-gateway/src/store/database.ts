import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { explainDamage } from "./sqlite/damage.ts";
import { prepareForMigrations } from "./sqlite/migrations.ts";
import * as schema from "./schema.ts";

export type Db = BetterSQLite3Database<typeof schema> & { $client: Database.Database };

/** Opens the database and runs pending migrations. The caller closes it. */
export function openDatabase(file: string, migrationsFolder: string): Db {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const client = new Database(file);
  try {
    return prepare(client, migrationsFolder);
  } catch (error) {
    client.close();
    throw explainDamage(error, file) ?? error;
  }
}

function prepare(client: Database.Database, migrationsFolder: string): Db {
  client.pragma("journal_mode = WAL");
  // In WAL mode the default is NORMAL, which can lose the last commits in a power failure.
  client.pragma("synchronous = FULL");
  client.pragma("foreign_keys = ON");
  // Without it, REPLACE deletes rows without firing the triggers that guard the record.
  client.pragma("recursive_triggers = ON");
  client.pragma("busy_timeout = 5000");
  const db = drizzle(client, { schema });
  prepareForMigrations(client, migrationsFolder);
  migrate(db, { migrationsFolder });
  return db;
}
