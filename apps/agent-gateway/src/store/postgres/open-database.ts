import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../database.ts";
import { type Queries, unwrapped, type Write, withoutWrapping } from "../queries.ts";
import { connect } from "./connect.ts";
import { DatabaseLock } from "./database-lock.ts";
import { describeUrl, explainConnection } from "./explain.ts";
import { requireRoles } from "./roles.ts";
import * as schema from "./schema.ts";

/** A PostgreSQL database: what every database has, and its connections. */
export type PostgresDb = Queries & {
  readonly dialect: "postgres";
  readonly $sql: Sql;
  readonly $orm: Orm;
  readonly $url: string;
  /** Held as long as this gateway is the only one on the database. */
  readonly $lock: DatabaseLock;
};

const CONNECTIONS = 10;

type Orm = PostgresJsDatabase<typeof schema>;
export const postgresTables = schema;
export type PostgresTransaction = Parameters<Parameters<Orm["transaction"]>[0]>[0];

/** Connects, locks the database and runs pending migrations. The caller closes it. */
export async function openPostgres(url: string, migrationsFolder: string): Promise<PostgresDb> {
  const client = connect(url, CONNECTIONS);
  const lock = new DatabaseLock(url);
  try {
    await requireRoles(client);
    if (!(await lock.take())) {
      throw new GatewayError(
        "already-running",
        `Another Belay uses the database at ${describeUrl(url)}. Stop it first, or set BELAY_DATABASE_URL to another one.`,
      );
    }
    await requireKnownVersion(client, migrationsFolder);
    const orm = drizzle(client, { schema });
    await migrate(orm, { migrationsFolder });
    return databaseOn(orm, { $sql: client, $url: url, $lock: lock });
  } catch (error) {
    await Promise.all([client.end({ timeout: 1 }), lock.release()]);
    const cause = withoutWrapping(error);
    throw explainConnection(cause, url) ?? cause;
  }
}

export async function closePostgres({ $sql, $lock }: PostgresDb): Promise<void> {
  await $sql.end({ timeout: 5 });
  await $lock.release();
}

/** Runs work in one transaction, which is rolled back if it throws. */
export async function inTransaction<Result>(
  { $orm }: PostgresDb,
  work: (tx: PostgresTransaction, db: Db) => Promise<Result>,
): Promise<Result> {
  return unwrapped($orm.transaction((tx) => work(tx, dialectOn(tx))));
}

/** The tables are typed as SQLite's: the contract suite shows that the same queries do the same on both. */
function databaseOn($orm: Orm, rest: Pick<PostgresDb, "$sql" | "$url" | "$lock">): PostgresDb {
  const commitAll: Queries["commitAll"] = (writes) =>
    inTransaction(db, async (_tx, inside) => {
      // In order, because a later change may depend on an earlier one.
      for (const { execute, refusal } of writes(inside)) {
        if ((await execute()) === 0 && refusal) throw refusal;
      }
    });
  const db = { ...dialectOn($orm), ...rest, $orm, commitAll } as unknown as PostgresDb;
  return db;
}

function dialectOn(orm: Orm | PostgresTransaction) {
  return {
    ...schema,
    dialect: "postgres" as const,
    orm,
    peopleProvider: "pg",
    decision: sql<string | null>`${schema.auditEvents.decision}`,
    writtenOrder: sql`${schema.writtenFiles.nr}`,
    eraseDetails: (seqs: readonly number[]): Write => ({
      execute: async () => {
        await unwrapped(orm.execute(sql`SELECT belay_erase_details(${`{${seqs.join(",")}}`}::bigint[])`));
        return seqs.length;
      },
    }),
    removeRows: (upTo: number, most: number): Write => ({
      execute: async () => {
        const removed = orm.execute<{ count: string }>(sql`SELECT belay_remove_rows(${upTo}, ${most}) AS count`);
        return Number((await unwrapped(removed))[0]?.count ?? 0);
      },
    }),
  };
}

async function requireKnownVersion(client: Sql, migrationsFolder: string): Promise<void> {
  const [known] = await client`SELECT to_regclass('drizzle.__drizzle_migrations') AS name`;
  if (known?.name == null) return;
  const [row] = await client`SELECT max(created_at) AS last FROM drizzle.__drizzle_migrations`;
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")) as {
    entries: { when: number }[];
  };
  if (row?.last == null || entries.some(({ when }) => when >= Number(row.last))) return;
  throw new GatewayError(
    "database-newer",
    "The database was written by a newer version of Belay, and this one could damage it. Start the newer version.",
  );
}
