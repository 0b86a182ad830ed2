import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../database.ts";
import { queriesOf, unwrapped, type Write } from "../queries.ts";
import type { PostgresDb, PostgresTransaction } from "./open-database.ts";
import { gateways } from "./schema/index.ts";

/** One of the gateways that use a database. */
export interface KnownGateway {
  id: string;
  /** Its rows of the record have numbers in a range of its own (`chainOf`). */
  number: number;
  name: string;
  publicKey: string | null;
  /** How long ago it was last seen, by the clock of the database. */
  silentMs: number;
  /** Null: it may come back. */
  retiredAt: number | null;
}

const RETIRED =
  "An admin has retired this gateway, so it cannot use the database any more. Keep its data folder, which proves what it recorded, and start with a new one.";
/** By the clock of the database, so that gateways with different clocks agree. */
const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** The number of the gateway with this id; the first gateway of a database is 0. Refuses one that was retired. */
export async function registerGateway(client: Sql, { id, name }: { id: string; name: string }): Promise<number> {
  await client.unsafe(
    `INSERT INTO gateways (id, number, name, joined_at, seen_at)
     SELECT $1, coalesce(max(number) + 1, 0), $2, ${NOW_MS}, ${NOW_MS} FROM gateways
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at`,
    [id, name],
  );
  const [row] = await client`SELECT number, retired_at FROM gateways WHERE id = ${id}`;
  if (row?.retired_at != null) throw new GatewayError("gateway-retired", RETIRED);
  return Number(row?.number);
}

/** A gateway cannot come back after this. Refused if it was retired already; committed with its row of the record. */
export function retiringGateway(db: Db, gateway: number): Write {
  const orm = queriesOf(db).orm as unknown as PostgresTransaction;
  const isThere = and(eq(gateways.number, gateway), isNull(gateways.retiredAt));
  return {
    execute: async () => {
      const retiredAt = sql.raw(NOW_MS);
      return (await unwrapped(orm.update(gateways).set({ retiredAt }).where(isThere))).count;
    },
    refusal: () => new GatewayError("already-settled", "This gateway was already retired."),
  };
}

/** Records that this gateway is running. */
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
  const { id, number, name, publicKey, seenAt, retiredAt } = gateways;
  const silentMs = sql<string>`${sql.raw(NOW_MS)} - ${seenAt}`;
  const found = $orm.select({ id, number, name, publicKey, silentMs, retiredAt }).from(gateways).orderBy(asc(number));
  return (await unwrapped(found)).map((row) => ({ ...row, silentMs: Number(row.silentMs) }));
}
