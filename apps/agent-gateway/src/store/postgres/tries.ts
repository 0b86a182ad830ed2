import type { PostgresDb } from "./open-database.ts";

// Each is one statement, so that attempts at several gateways in the same moment are all counted. Times are the database's.

const FORGOTTEN_AFTER_MS = 60 * 60_000;

/** Counts an attempt in its window. Returns how many there are, and how long the window lasts from now. */
export async function countTry(
  { $sql }: PostgresDb,
  key: string,
  windowMs: number,
): Promise<{ count: number; leftMs: number }> {
  const now = $sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  const [row] = await $sql`
    INSERT INTO tries AS known (key, count, since, next_at) VALUES (${key}, 1, ${now}, 0)
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN known.since <= ${now} - ${windowMs}::bigint THEN 1 ELSE known.count + 1 END,
      since = CASE WHEN known.since <= ${now} - ${windowMs}::bigint THEN ${now} ELSE known.since END
    RETURNING count, since + ${windowMs}::bigint - ${now} AS left_ms`;
  return { count: Number(row?.count), leftMs: Number(row?.left_ms) };
}

export interface TurnRule {
  freeFailures: number;
  firstDelayMs: number;
  longestDelayMs: number;
  forgottenAfterMs: number;
}

/** The turn of the next attempt after wrong ones, in milliseconds from now. Attempts at several gateways get one turn each. */
export async function takeTurn({ $sql }: PostgresDb, key: string, rule: TurnRule): Promise<number> {
  const now = $sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  const [row] = await $sql`
    UPDATE tries SET next_at = greatest(next_at, ${now}) + CASE
      WHEN count < ${rule.freeFailures} OR since < ${now} - ${rule.forgottenAfterMs}::bigint THEN 0
      ELSE least(${rule.firstDelayMs} * power(2, least(count - ${rule.freeFailures}, 20)), ${rule.longestDelayMs})::bigint END
    WHERE key = ${key} RETURNING next_at - ${now} AS wait_ms`;
  return Math.max(0, Number(row?.wait_ms ?? 0));
}

/** A wrong password. Earlier ones count for as long as they are not forgotten. */
export async function countFailure({ $sql }: PostgresDb, key: string, forgottenAfterMs: number): Promise<void> {
  const now = $sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  await $sql`
    INSERT INTO tries AS known (key, count, since, next_at) VALUES (${key}, 1, ${now}, 0)
    ON CONFLICT (key) DO UPDATE SET since = ${now},
      count = CASE WHEN known.since < ${now} - ${forgottenAfterMs}::bigint THEN 1 ELSE known.count + 1 END`;
}

/** Forgets the attempts whose keys begin like this. */
export async function clearTries({ $sql }: PostgresDb, prefix: string): Promise<void> {
  await $sql`DELETE FROM tries WHERE starts_with(key, ${prefix})`;
}

export async function forgetOldTries({ $sql }: PostgresDb): Promise<void> {
  const now = $sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  await $sql`DELETE FROM tries WHERE since < ${now} - ${FORGOTTEN_AFTER_MS}::bigint`;
}
