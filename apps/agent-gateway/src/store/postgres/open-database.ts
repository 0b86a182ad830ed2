import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../database.ts";
import { type Queries, unwrapped, type Write, withoutWrapping } from "../queries.ts";
import { connect } from "./connect.ts";
import { explainConnection } from "./explain.ts";
import { GatewayLocks, type LockMode } from "./gateway-locks.ts";
import { registerGateway } from "./gateways.ts";
import { prepared } from "./prepared.ts";
import { requireRoles } from "./roles.ts";
import * as schema from "./schema/index.ts";

/** A PostgreSQL database: what every database has, and its connections. */
export type PostgresDb = Queries & {
  readonly dialect: "postgres";
  readonly $sql: Sql;
  readonly $orm: Orm;
  readonly $url: string;
  /** Held as long as this gateway uses the database. */
  readonly $locks: GatewayLocks;
};

/** Which gateway uses the database, and whether others may too. */
export interface GatewayIdentity {
  /** Stable, from its data folder. */
  id: string;
  /** What people call it; the machine's name without one. */
  name?: string | undefined;
  mode: LockMode;
}

const CONNECTIONS = 10;

type Orm = PostgresJsDatabase<typeof schema>;
export const postgresTables = schema;
export type PostgresTransaction = Parameters<Parameters<Orm["transaction"]>[0]>[0];

/** Connects, locks the database, runs pending migrations and registers this gateway. The caller closes it. */
export async function openPostgres(
  url: string,
  migrationsFolder: string,
  { id, name = hostname(), mode }: GatewayIdentity,
): Promise<PostgresDb> {
  const client = connect(url, CONNECTIONS);
  const locks = new GatewayLocks(url, mode);
  try {
    await requireRoles(client);
    await locks.takeDatabase();
    const orm = drizzle({ client: prepared(client), schema });
    const gateway = await locks.setUp(async () => {
      await requireKnownVersion(client, migrationsFolder);
      await migrate(orm, { migrationsFolder });
      return registerGateway(client, { id, name });
    });
    await locks.takeChain(gateway);
    return databaseOn(orm, gateway, { $sql: client, $url: url, $locks: locks });
  } catch (error) {
    await Promise.all([client.end({ timeout: 1 }), locks.release()]);
    const cause = withoutWrapping(error);
    throw explainConnection(cause, url) ?? cause;
  }
}

export async function closePostgres({ $sql, $locks }: PostgresDb): Promise<void> {
  await $sql.end({ timeout: 5 });
  await $locks.release();
}

/** Runs work in one transaction, which is rolled back if it throws. */
export async function inTransaction<Result>(
  { $orm, gateway }: PostgresDb,
  work: (tx: PostgresTransaction, db: Db) => Promise<Result>,
): Promise<Result> {
  return unwrapped($orm.transaction((tx) => work(tx, dialectOn(tx, gateway))));
}

/**
 * The same with last changes that are sent together with the commit, without waiting for their answers in between.
 * If one of them fails, the server rolls everything back, and this fails with its error.
 */
export async function inTransactionWithLast<Result>(
  db: PostgresDb,
  work: (tx: PostgresTransaction, db: Db) => Promise<{ result: Result; last: readonly (() => Promise<unknown>)[] }>,
): Promise<Result> {
  const { result, answers } = await inTransaction(db, async (tx, inside) => {
    const { result, last } = await work(tx, inside);
    const answers: Promise<unknown>[] = [];
    for (const send of last) {
      const answer = send();
      answer.catch(() => {}); // awaited below, once the commit is on its way
      answers.push(answer);
      // Each reaches the connection within this turn of the event loop, and so before the next one and the commit.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { result, answers };
  });
  await unwrapped(Promise.all(answers));
  return result;
}

/** The tables are typed as SQLite's: the contract suite shows that the same queries do the same on both. */
function databaseOn($orm: Orm, gateway: number, rest: Pick<PostgresDb, "$sql" | "$url" | "$locks">): PostgresDb {
  const commitAll: Queries["commitAll"] = (writes) =>
    inTransaction(db, async (_tx, inside) => {
      // In order, because a later change may depend on an earlier one.
      for (const { execute, refusal } of writes(inside)) {
        if ((await execute()) === 0 && refusal) throw refusal();
      }
    });
  const db = { ...dialectOn($orm, gateway), ...rest, $orm, commitAll } as unknown as PostgresDb;
  return db;
}

function dialectOn(orm: Orm | PostgresTransaction, gateway: number) {
  return {
    ...schema,
    dialect: "postgres" as const,
    orm,
    authDialect: "pg",
    gateway,
    decision: sql<string | null>`${schema.auditEvents.decision}`,
    recordOrder: [sql`${schema.auditEvents.sortAt}`, sql`${schema.auditEvents.seq}`],
    recordedBetween: (from: number, to: number) =>
      sql`${schema.auditEvents.at} >= ${from} AND ${schema.auditEvents.at} < ${to}`,
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
