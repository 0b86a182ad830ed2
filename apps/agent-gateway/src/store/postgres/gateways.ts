import { hostname } from "node:os";
import { asc, eq, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { unwrapped } from "../queries.ts";
import type { PostgresDb } from "./open-database.ts";
import { gateways } from "./schema/index.ts";

/** One of the gateways that use a database. */
export interface KnownGateway {
  id: string;
  /** Its rows of the record have numbers in a range of its own (`chainOf`). */
  number: number;
  name: string;
  publicKey: string | null;
  /** How long ago it was last there, by the clock of the database. */
  silentMs: number;
}

/** By the clock of the database, so that gateways with different clocks agree. */
const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** The number of the gateway with this id; the first gateway of a database is 0. */
export async function registerGateway(client: Sql, id: string): Promise<number> {
  await client.unsafe(
    `INSERT INTO gateways (id, number, name, joined_at, seen_at)
     SELECT $1, coalesce(max(number) + 1, 0), $2, ${NOW_MS}, ${NOW_MS} FROM gateways
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at`,
    [id, hostname()],
  );
  const [row] = await client`SELECT number FROM gateways WHERE id = ${id}`;
  return Number(row?.number);
}

/** This gateway is there. */
export async function touchGateway(db: PostgresDb): Promise<void> {
  const seenAt = sql.raw(NOW_MS);
  await unwrapped(db.$orm.update(gateways).set({ seenAt }).where(eq(gateways.number, db.gateway)));
}

/** The key that proves this gateway's signatures to the others. */
export async function saveGatewayKey(db: PostgresDb, publicKey: string): Promise<void> {
  await unwrapped(db.$orm.update(gateways).set({ publicKey }).where(eq(gateways.number, db.gateway)));
}

/** In the order in which they joined. */
export async function listGateways({ $orm }: PostgresDb): Promise<KnownGateway[]> {
  const { id, number, name, publicKey, seenAt } = gateways;
  const silentMs = sql<string>`${sql.raw(NOW_MS)} - ${seenAt}`;
  const found = $orm.select({ id, number, name, publicKey, silentMs }).from(gateways).orderBy(asc(number));
  return (await unwrapped(found)).map((row) => ({ ...row, silentMs: Number(row.silentMs) }));
}
