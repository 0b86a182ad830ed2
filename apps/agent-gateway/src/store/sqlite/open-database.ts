import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { asc, inArray, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { type Queries, write } from "../queries.ts";
import { explainDamage } from "./damage.ts";
import { prepareForMigrations } from "./migrations.ts";
import * as schema from "./schema/index.ts";

/** A SQLite database: what every database has, and its connection. */
export type SqliteDb = Queries & { readonly dialect: "sqlite"; readonly $client: Database.Database };

/** The same text as in `audit/redact/redaction-proof.ts`; the table's trigger allows no other. */
const ERASED_DETAIL = '{"redacted":true}';

/** Opens the database and runs pending migrations. The caller closes it. */
export function openDatabase(file: string, migrationsFolder: string): SqliteDb {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const client = new Database(file);
  try {
    return prepare(client, migrationsFolder);
  } catch (error) {
    client.close();
    throw explainDamage(error, file) ?? error;
  }
}

/** The database behind a connection that is set up already. */
export function databaseOn($client: Database.Database): SqliteDb {
  const orm = drizzle($client, { schema });
  const { auditEvents } = schema;
  const db: SqliteDb = {
    ...schema,
    dialect: "sqlite",
    $client,
    orm,
    authDialect: "sqlite",
    gateway: 0,
    recordOrder: [sql`${auditEvents.seq}`],
    recordedBetween: () => undefined,
    decision: sql`json_extract(${auditEvents.detail}, '$.decision')`,
    writtenOrder: sql`rowid`,
    eraseDetails: (seqs) =>
      write(
        orm
          .update(auditEvents)
          .set({ detail: ERASED_DETAIL })
          .where(inArray(auditEvents.seq, [...seqs])),
      ),
    removeRows: (upTo, most) => {
      const oldest = orm.select({ seq: auditEvents.seq }).from(auditEvents).where(lte(auditEvents.seq, upTo));
      const some = oldest.orderBy(asc(auditEvents.seq)).limit(most);
      return write(orm.delete(auditEvents).where(inArray(auditEvents.seq, some)));
    },
    // Runs at once, so that nothing else gets between the writes.
    commitAll: async (writes) => $client.transaction(() => executeAll(writes(db)))(),
  };
  return db;
}

/** Makes all changes in the transaction that is open. Throws if one of them is refused. */
export function executeAll(writes: ReturnType<Parameters<Queries["commitAll"]>[0]>): void {
  for (const { execute, refusal } of writes) {
    if (execute() === 0 && refusal) throw refusal();
  }
}

function prepare(client: Database.Database, migrationsFolder: string): SqliteDb {
  client.pragma("journal_mode = WAL");
  // In WAL mode the default is NORMAL, which can lose the last commits in a power failure.
  client.pragma("synchronous = FULL");
  client.pragma("foreign_keys = ON");
  // Without it, REPLACE deletes rows without firing the triggers that guard the record.
  client.pragma("recursive_triggers = ON");
  client.pragma("busy_timeout = 5000");
  const orm = drizzle(client, { schema });
  prepareForMigrations(client, migrationsFolder);
  migrate(orm, { migrationsFolder });
  return databaseOn(client);
}
