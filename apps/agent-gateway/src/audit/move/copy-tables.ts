import { asc, sql } from "drizzle-orm";
import { type PostgresTransaction, postgresTables } from "../../store/postgres/open-database.ts";
import { unwrapped } from "../../store/queries.ts";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";
import { toEvent } from "../rows.ts";
import { derivedColumns } from "../storage/postgres-transaction.ts";

const ROWS_AT_ONCE = 500;

/** SQLite has neither: this gateway joins as the first, and what it counted is forgotten. */
type CopiedTable = Exclude<keyof typeof postgresTables, "gateways" | "tries">;

/** Those that others refer to come first. */
export const TABLES = [
  ...["user", "session", "account", "verification", "agents", "conversationShells", "auditEvents", "meta", "commands"],
  ...["clientCalls", "approvals", "approvalVotes", "grants", "freezes", "shareLinks", "webhooks", "policyVersions"],
  ...[
    "policyProposals",
    "shellMemories",
    "writtenFiles",
    "agentShares",
    "invitations",
    "commandChanges",
    "machines",
    "machineTerminals",
  ],
] as CopiedTable[];

/** About SQLite's own indexes. */
const ONLY_SQLITE = ["audit-indexed-seq", "audit-clock-jumps", "record-checked-at"];

export interface CopyProgress {
  table: string;
  rows: number;
}

/** The tables of PostgreSQL that have rows already. */
export async function findFilledTables(tx: PostgresTransaction): Promise<string[]> {
  const filled: string[] = [];
  for (const name of TABLES) {
    if ((await unwrapped(tx.select({ one: sql`1` }).from(postgresTables[name]).limit(1))).length > 0) filled.push(name);
  }
  return filled;
}

/** Copies every table, in the transaction. Each row of the record keeps its number, its texts and its hash. */
export async function copyTables(
  from: SqliteDb,
  tx: PostgresTransaction,
  onProgress: (progress: CopyProgress) => void,
): Promise<number> {
  let total = 0;
  for (const name of TABLES) {
    const rows = await copyTable(from, tx, name);
    total += rows;
    onProgress({ table: name, rows });
  }
  // The next version of the policy gets the next number.
  await unwrapped(
    tx.execute(
      sql`SELECT setval(pg_get_serial_sequence('policy_versions', 'seq'), (SELECT coalesce(max(seq), 0) + 1 FROM policy_versions), false)`,
    ),
  );
  return total;
}

async function copyTable(from: SqliteDb, tx: PostgresTransaction, name: CopiedTable): Promise<number> {
  const source = from[name] as SqliteDb["auditEvents"];
  let rows = 0;
  let sortAt = 0;
  const withSorting = (row: SqliteDb["auditEvents"]["$inferSelect"]) => {
    sortAt = Math.max(sortAt, row.at);
    return { ...row, ...derivedColumns(toEvent(row)), sortAt };
  };
  for (;;) {
    const page = from.orm.select().from(source).orderBy(asc(sql`rowid`)).limit(ROWS_AT_ONCE).offset(rows).all();
    if (page.length === 0) return rows;
    rows += page.length;
    const kept = page.filter((row) => !ONLY_SQLITE.includes(String((row as { key?: string }).key)));
    const values = name === "auditEvents" ? kept.map(withSorting) : kept.map(withoutZeros);
    if (values.length > 0)
      await unwrapped(tx.insert(postgresTables[name] as typeof postgresTables.auditEvents).values(values as never));
  }
}

/** PostgreSQL has no zero bytes in texts. No row of the record has any: its texts are JSON, where they are escaped. */
function withoutZeros(row: Record<string, unknown>): Record<string, unknown> {
  const clean = (value: unknown) => (typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, clean(value)]));
}
