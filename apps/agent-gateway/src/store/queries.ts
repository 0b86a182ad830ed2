import { DrizzleQueryError, type SQL } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { GatewayError } from "../errors.ts";
import type { Db } from "./database.ts";
import type * as schema from "./sqlite/schema/index.ts";

/** What SQL is written with: drizzle and the tables of this database. The types are those of SQLite. */
export type Queries = typeof schema &
  Dialect & {
    orm: Pick<BetterSQLite3Database<typeof schema>, "select" | "insert" | "update" | "delete">;
    /** Makes all of these changes or none. */
    commitAll(writes: Writes): Promise<void>;
  };

/** What differs between the databases. */
export interface Dialect {
  /** The database as better-auth calls it. */
  authDialect: "sqlite" | "pg";
  /** The number of this gateway among those that use the database; 0 is the only one or the first. */
  gateway: number;
  /** The verdict in a row of the record. */
  decision: SQL<string | null>;
  /** The order in which rows were written, as far as it is known between gateways. */
  recordOrder: SQL[];
  /** Narrows the rows to a time, if the database has them in an order that is not that of time. */
  recordedBetween(from: number, to: number): SQL | undefined;
  /** The order in which agents wrote files. */
  writtenOrder: SQL;
  /** Erases what these rows of the record say, once another row declares it. */
  eraseDetails(seqs: readonly number[]): Write;
  /** Deletes some of the oldest rows up to this one, if a seal replaces them. */
  removeRows(upTo: number, most: number): Write;
}

export function queriesOf(db: Db): Queries {
  return db as Db & Queries;
}

/**
 * A change that has not been made yet. It is made alone (`commit`), or with others and rows of the record, all or none.
 * With a refusal, a change that affects no row fails, and everything that is committed with it.
 */
export interface Write {
  /** Returns the number of changed rows: at once on SQLite. */
  execute(): number | Promise<number>;
  /** Made only when needed: an error with its stack takes longer than most changes. */
  refusal?: () => GatewayError;
}

/** Whether they are made only if each of them takes effect. */
export function canBeRefused(writes: readonly Write[]): boolean {
  return writes.some(({ refusal }) => refusal);
}

/** Changes that are made together, in the transaction that they are given. */
export type Writes = (db: Db) => readonly Write[];

/** SQLite runs a query when it is asked to; other databases return promises. */
type RowsQuery<Row> = { all(): Row[] } | PromiseLike<Row[]>;
type ChangeQuery = { run(): { changes: number } } | PromiseLike<{ count: number }>;

/** All rows of a query. On SQLite it has run when this returns. */
export async function rowsOf<Row>(query: { all(): Row[] }): Promise<Row[]> {
  const either: RowsQuery<Row> = query;
  return "all" in either ? either.all() : unwrapped(either);
}

export async function rowOf<Row>(query: { all(): Row[] }): Promise<Row | undefined> {
  return (await rowsOf(query))[0];
}

export function write(query: { run(): { changes: number } }): Write {
  const either: ChangeQuery = query;
  return { execute: () => ("run" in either ? either.run().changes : toCount(either)) };
}

async function toCount(query: PromiseLike<{ count: number }>): Promise<number> {
  return (await unwrapped(query)).count;
}

/** Drizzle's own errors quote the query with its values, which may be secret; what went wrong is their cause. */
export async function unwrapped<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    throw withoutWrapping(error);
  }
}

export function withoutWrapping(error: unknown): unknown {
  return error instanceof DrizzleQueryError && error.cause ? error.cause : error;
}

/** Makes a single change. Returns the number of changed rows; on SQLite it is made when this returns. */
export async function commit({ execute, refusal }: Write): Promise<number> {
  const changes = await execute();
  if (changes === 0 && refusal) throw refusal();
  return changes;
}

/** Makes the change that a query describes. */
export function change(query: { run(): { changes: number } }): Promise<number> {
  return commit(write(query));
}
