import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { AuditLog } from "../../audit/audit-log.ts";
import { Checkpoints } from "../../audit/signing/checkpoints.ts";
import { PostgresStorage } from "../../audit/storage/postgres-storage.ts";
import { SqliteStorage } from "../../audit/storage/sqlite-storage.ts";
import { MIGRATIONS_DIR, POSTGRES_MIGRATIONS_DIR } from "../../paths.ts";
import { loadGatewayId } from "../../store/gateway-id.ts";
import type { LockMode } from "../../store/postgres/gateway-locks.ts";
import { closePostgres, openPostgres, type PostgresDb } from "../../store/postgres/open-database.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres-server.ts";

/** A database of either kind, with a record on it. */
export interface TestDatabase {
  db: Awaited<ReturnType<typeof openPostgres>> | ReturnType<typeof openDatabase>;
  folder: string;
  clock: { now: number };
  /** The record as a gateway would open it, also again. */
  open(): Promise<AuditLog>;
  /** SQL with the gateway's own rights. */
  run(sql: string): Promise<Record<string, unknown>[]>;
  /** SQL like an attacker with full access, without triggers. */
  tamper(sql: string): Promise<void>;
}

/** Runs the same tests on SQLite and on PostgreSQL. */
export function onEveryDatabase(tests: (openTestDatabase: () => Promise<TestDatabase>) => void): void {
  describe("on SQLite", () => tests(openSqlite));
  const bin = findPostgres();
  describe.skipIf(bin === null)("on PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(String(bin));
    }, 60_000);
    afterAll(() => server?.close());
    tests(() => openOnServer(server));
  });
}

async function openSqlite(): Promise<TestDatabase> {
  const { folder, clock, checkpoints } = place();
  const db = openDatabase(join(folder, "belay.db"), MIGRATIONS_DIR);
  db.$client.pragma("synchronous = OFF");
  onTestFinished(() => void db.$client.close());
  const now = () => clock.now;
  return {
    ...{ db, folder, clock },
    open: async () => {
      const signed = checkpoints();
      return new AuditLog({
        db,
        storage: new SqliteStorage(db, { now, signed: signed.latest() }),
        now,
        checkpoints: signed,
      });
    },
    run: async (sql) => {
      const statement = db.$client.prepare(sql);
      if (statement.reader) return statement.all() as Record<string, unknown>[];
      statement.run();
      return [];
    },
    tamper: async (sql) => {
      for (const name of db.$client.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all())
        db.$client.exec(`DROP TRIGGER ${name}`);
      db.$client.exec(sql);
    },
  };
}

/** One of the gateways on a PostgreSQL server. */
interface TestGateway extends TestDatabase {
  url: string;
  db: PostgresDb;
  /** Every line of its checkpoints. */
  signatures(): string[];
  close(): Promise<void>;
}

/** A gateway's part of a database that it may share with others. */
export async function openOnServer(
  server: PostgresServer,
  { url: given, mode = "alone", folder: known }: { url?: string; mode?: LockMode; folder?: string } = {},
): Promise<TestGateway> {
  const { folder, clock, checkpoints } = place(known);
  const url = given ?? (await server.createDatabase());
  const db = await openPostgres(url, POSTGRES_MIGRATIONS_DIR, { id: loadGatewayId(folder), mode });
  onTestFinished(() => closePostgres(db));
  const now = () => clock.now;
  return {
    ...{ db, folder, clock, url },
    close: () => closePostgres(db),
    signatures: () => checkpoints().lines(),
    open: async () => {
      const signed = checkpoints();
      const storage = await PostgresStorage.open(db, { now, signed: signed.latest() });
      await storage.others.publish(signed.publicKey, signed.lastSeal());
      return new AuditLog({ db, storage, now, checkpoints: signed });
    },
    run: async (sql) => [...(await db.$sql.unsafe(sql))],
    tamper: (sql) =>
      server.asAdmin(url, async (admin) => {
        await admin.unsafe(`SET session_replication_role = replica; ${sql}`);
      }),
  };
}

function place(known?: string) {
  const folder = known ?? mkdtempSync(join(tmpdir(), "belay-database-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "checkpoints.jsonl");
  const checkpoints = () => new Checkpoints({ file, keyFile: join(folder, "key.pem") });
  return { folder, clock: { now: 1_000 }, checkpoints };
}
