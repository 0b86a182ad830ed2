import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "../../errors.ts";
import { MIGRATIONS_DIR, POSTGRES_MIGRATIONS_DIR } from "../../paths.ts";
import { loadGatewayId } from "../../store/gateway-id.ts";
import { acquireLock, LOCK_FILE } from "../../store/lock.ts";
import { describeUrl } from "../../store/postgres/explain.ts";
import { closePostgres, inTransaction, openPostgres, type PostgresDb } from "../../store/postgres/open-database.ts";
import { openDatabase, type SqliteDb } from "../../store/sqlite/open-database.ts";
import { openRecord } from "../open.ts";
import { readRows } from "../rows.ts";
import { Checkpoints } from "../signing/checkpoints.ts";
import { type Verification, verifyRecord } from "../verify.ts";
import { type CopyProgress, copyTables, findFilledTables } from "./copy-tables.ts";

export interface MoveReport {
  to: string;
  /** Rows of all tables. */
  rows: number;
  /** Rows of the record, verified before and after. */
  recordRows: number;
  isDryRun: boolean;
  /** Where the SQLite file is now; null after a dry run. */
  keptFile: string | null;
}

interface MoveOptions {
  dataDir: string;
  url: string;
  isDryRun: boolean;
  now: () => number;
  onProgress: (progress: CopyProgress) => void;
}

const ROLL_BACK = new Error("dry run");

/**
 * Moves everything from SQLite to an empty PostgreSQL database.
 *
 * 1. Belay is stopped, and its record is verified.
 * 2. All tables are copied in one transaction, and the copy of the record is verified in it, against the same signatures.
 *    If anything is wrong, or in a dry run, the transaction is rolled back.
 * 3. The SQLite file gets another name, so that the record cannot continue in two places.
 */
export async function moveToPostgres(options: MoveOptions): Promise<MoveReport> {
  const { dataDir, url } = options;
  const file = join(dataDir, "belay.db");
  if (!existsSync(file)) {
    throw new GatewayError("bad-request", `There is no ${file}. Set BELAY_DATA_DIR to the data folder to move.`);
  }
  const lock = acquireLock(join(dataDir, LOCK_FILE));
  if (!lock) throw new GatewayError("already-running", `Belay is running on ${dataDir}. Stop it first.`);
  try {
    const from = openDatabase(file, MIGRATIONS_DIR);
    try {
      const to = await openPostgres(url, POSTGRES_MIGRATIONS_DIR, { id: loadGatewayId(dataDir), mode: "alone" });
      let moved: Awaited<ReturnType<typeof copy>>;
      try {
        moved = await copy(from, to, options);
      } finally {
        await closePostgres(to);
      }
      from.$client.pragma("wal_checkpoint(TRUNCATE)");
      from.$client.close();
      return { to: describeUrl(url), ...moved, isDryRun: options.isDryRun, keptFile: keep(file, options) };
    } finally {
      if (from.$client.open) from.$client.close();
    }
  } finally {
    lock.release();
  }
}

async function copy(
  from: SqliteDb,
  to: PostgresDb,
  options: MoveOptions,
): Promise<{ rows: number; recordRows: number }> {
  const { dataDir, now, isDryRun, onProgress } = options;
  const watch = { rowWritten: () => {}, rowRefused: () => {} };
  const { audit, closeSearch } = await openRecord({ db: from, dataDir, now, watch });
  const before = requireOk(await audit.verify(), "The record in SQLite was altered, so nothing was moved.");
  await audit.close();
  await closeSearch();
  let rows = 0;
  const copied = inTransaction(to, async (tx, inside) => {
    const filled = await findFilledTables(tx);
    if (filled.length > 0 || to.gateway !== 0) {
      throw new GatewayError(
        "not-empty",
        `The database at ${describeUrl(options.url)} is not empty (${filled.join(", ") || "other gateways joined it"}). Create a new one.`,
      );
    }
    rows = await copyTables(from, tx, onProgress);
    const genesis = String(from.$client.prepare("SELECT value FROM meta WHERE key = 'audit-genesis'").pluck().get());
    const signed = new Checkpoints({
      file: join(dataDir, "audit-checkpoints.jsonl"),
      keyFile: join(dataDir, "keys", "audit-ed25519.pem"),
    });
    const checkpoints = [...signed.lines()].map((line) => signed.read(line));
    const after = await verifyRecord({ genesis, rows: readRows(inside, 0), checkpoints });
    const { rows: found } = requireOk(after, "The copy of the record is not what was copied, so nothing was moved.");
    if (found !== before.rows) throw new Error(`Only ${found} of ${before.rows} rows of the record were copied.`);
    if (isDryRun) throw ROLL_BACK;
  });
  await copied.catch((error: unknown) => {
    if (error !== ROLL_BACK) throw error;
  });
  return { rows, recordRows: before.rows };
}

function keep(file: string, { isDryRun }: MoveOptions): string | null {
  if (isDryRun) return null;
  const kept = `${file}.moved`;
  renameSync(file, kept);
  for (const rest of [`${file}-wal`, `${file}-shm`]) rmSync(rest, { force: true });
  return kept;
}

function requireOk(found: Verification, what: string): Extract<Verification, { ok: true }> {
  if (!found.ok) throw new GatewayError("record-not-whole", `${what} ${found.problem}`);
  return found;
}
