import type { AuditEvent } from "@belay/protocol";
import { sql } from "drizzle-orm";
import type { GatewayError } from "../../errors.ts";
import type { PostgresTransaction } from "../../store/postgres/open-database.ts";
import { auditEvents } from "../../store/postgres/schema/index.ts";
import { canBeRefused, unwrapped, type Write } from "../../store/queries.ts";
import type { ChainedRow } from "../chain.ts";
import { wordsOfRow } from "../search/words.ts";

/** A row with the time that it is sorted by. */
export interface SortedRow extends ChainedRow {
  sortAt: number;
}

/** Inserts rows, in one statement. */
export async function insertRows(tx: PostgresTransaction, rows: readonly SortedRow[]): Promise<void> {
  if (rows.length > 0) await unwrapped(tx.insert(auditEvents).values(rows.map(toStored)));
}

/**
 * Makes the changes of each entry. If one of them is refused, none of that entry is made, and the refusal is returned in its place.
 *
 * They are sent without waiting for each answer, because the round trips to a server cost more than the changes. Only an entry with
 * several changes that can be refused needs a savepoint: a single change that is refused has changed nothing.
 */
export async function makeChanges(
  tx: PostgresTransaction,
  entries: readonly (readonly Write[])[],
): Promise<(GatewayError | null)[]> {
  const results: Promise<GatewayError | null>[] = [];
  for (const writes of entries) {
    if (writes.length <= 1 || !canBeRefused(writes)) {
      results.push(Promise.all(writes.map(({ execute }) => execute())).then((counts) => refusalOf(writes, counts)));
      continue;
    }
    await Promise.all(results); // what was sent before is not part of the savepoint
    results.push(Promise.resolve(await withSavepoint(tx, writes)));
  }
  return Promise.all(results);
}

async function withSavepoint(tx: PostgresTransaction, writes: readonly Write[]): Promise<GatewayError | null> {
  await tx.execute(sql`SAVEPOINT entry`);
  for (const { execute, refusal } of writes) {
    if ((await execute()) > 0 || !refusal) continue;
    await tx.execute(sql`ROLLBACK TO SAVEPOINT entry`);
    return refusal();
  }
  await tx.execute(sql`RELEASE SAVEPOINT entry`);
  return null;
}

function refusalOf(writes: readonly Write[], counts: readonly number[]): GatewayError | null {
  return writes.find(({ refusal }, at) => refusal && counts[at] === 0)?.refusal?.() ?? null;
}

function toStored({ row, stored, sortAt }: SortedRow) {
  return { ...stored, ...derivedColumns(row), sortAt };
}

/** Columns that filters use, made from the row. */
export function derivedColumns(row: AuditEvent) {
  const { decision, runs } = row.detail as { decision?: unknown; runs?: unknown };
  return {
    decision: typeof decision === "string" ? withoutZeros(decision) : null,
    runs: Array.isArray(runs) ? runs.map((run) => withoutZeros(String(run))) : null,
    words: wordsOfRow(row),
  };
}

/** PostgreSQL cannot store them in a text. The detail itself is JSON, where they are escaped. */
function withoutZeros(text: string): string {
  return text.replaceAll("\0", "");
}

/** The server refused what it was given: bad data, a broken constraint, something too large. */
export function isDataError(error: unknown): error is Error {
  return /^(22|23|54)/.test(codeOf(error));
}

/** Whether nothing was committed for certain: the server itself said so, and not because it was shutting down. */
export function isRolledBack(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|57|58|XX)/.test(code);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}
