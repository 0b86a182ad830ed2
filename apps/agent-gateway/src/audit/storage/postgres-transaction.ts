import type { AuditEvent } from "@belay/protocol";
import { sql } from "drizzle-orm";
import type { GatewayError } from "../../errors.ts";
import type { PostgresTransaction } from "../../store/postgres/open-database.ts";
import { auditEvents } from "../../store/postgres/schema.ts";
import type { Write } from "../../store/queries.ts";
import type { ChainedRow } from "../chain.ts";
import { wordsOfRow } from "../search/words.ts";

/** A row with the time that it is sorted by. */
export interface SortedRow extends ChainedRow {
  sortAt: number;
}

/** Stores rows and the changes that belong to them. Returns the refusal if one of the changes is refused, and then stores nothing. */
export async function store(
  tx: PostgresTransaction,
  rows: readonly SortedRow[],
  writes: readonly Write[],
): Promise<GatewayError | null> {
  const insert = async () => {
    if (rows.length > 0) await tx.insert(auditEvents).values(rows.map(toStored));
  };
  if (!writes.some(({ refusal }) => refusal)) {
    // Sent without waiting for each answer; they are executed in this order.
    await Promise.all([insert(), ...writes.map(({ execute }) => execute())]);
    return null;
  }
  await tx.execute(sql`SAVEPOINT entry`);
  await insert();
  for (const { execute, refusal } of writes) {
    if ((await execute()) > 0 || !refusal) continue;
    await tx.execute(sql`ROLLBACK TO SAVEPOINT entry`);
    return refusal;
  }
  await tx.execute(sql`RELEASE SAVEPOINT entry`);
  return null;
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
