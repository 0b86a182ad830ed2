import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableColumns, getTableName } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as postgresSchema from "../../store/postgres/schema/index.ts";
import * as sqliteSchema from "../../store/sqlite/schema/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/database/postgres-server.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import { TABLES } from "./copy-tables.ts";
import { moveToPostgres } from "./move-to-postgres.ts";

test("G7 every table and column of SQLite is in PostgreSQL", () => {
  const shapeOf = (schema: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(schema).map(([name, table]) => [
        name,
        [getTableName(table as never), ...Object.keys(getTableColumns(table as never)).sort()],
      ]),
    );
  const { gateways: _, tries: __, ...copied } = postgresSchema;
  const [sqlite, postgres] = [shapeOf(sqliteSchema), shapeOf(copied)];
  const only = { auditEvents: ["decision", "runs", "words", "sortAt"], writtenFiles: ["nr"] } as Record<
    string,
    string[]
  >;
  for (const [name, columns] of Object.entries(postgres))
    postgres[name] = columns.filter((column) => !only[name]?.includes(column));

  expect(postgres).toEqual(sqlite);
  expect([...TABLES].sort()).toEqual(Object.keys(postgres).sort());
});

const bin = findPostgres();

describe.skipIf(bin === null)("belay migrate", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(String(bin));
  }, 60_000);
  afterAll(() => server?.close());

  test("G7 G2 moves everything to PostgreSQL with the chain intact, and refuses what it cannot", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "belay-move-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const url = await server.createDatabase();
    const moving = { dataDir, url, now: () => Date.now(), onProgress: () => {} };
    const onSqlite = { env: { BELAY_DATABASE_URL: undefined as unknown as string }, dataDir };
    const gateway = await startTestGateway(onSqlite);
    const { token } = await gateway.addAgent();
    const agent = await gateway.connectAgent({ name: "other" });
    expect(JSON.stringify(await agent.call("terminal", { command: "echo moved-along" }))).toContain("moved-along");
    await expect(moveToPostgres({ ...moving, isDryRun: true })).rejects.toMatchObject({ code: "already-running" });
    await gateway.close();

    const rehearsal = await moveToPostgres({ ...moving, isDryRun: true });
    expect(rehearsal).toMatchObject({ isDryRun: true, keptFile: null });
    const report = await moveToPostgres({ ...moving, isDryRun: false });

    expect(report).toMatchObject({ recordRows: rehearsal.recordRows, rows: rehearsal.rows });
    expect(existsSync(join(dataDir, "belay.db"))).toBe(false);
    const moved = await startTestGateway({ env: { BELAY_DATABASE_URL: url }, dataDir });
    expect(await moved.audit.verify()).toMatchObject({ ok: true, removed: 0 });
    const found = await moved.audit.search({ text: "moved-along" }, { cursor: null, limit: 99 });
    expect(found.events.length).toBeGreaterThan(0);
    expect(await moved.agents.authenticate(token)).toMatchObject({ name: "tester" });
    expect(await moved.signIn()).toContain("belay.session_token");
    await moved.close();
    expect(existsSync(join(dataDir, "belay.db"))).toBe(false);

    // The old file stays out of the way: a gateway without the setting finds that its record is gone, and does nothing.
    const forgotten = await startTestGateway(onSqlite).catch((error: Error) => error);
    expect(String((forgotten as Error).message)).toContain("is damaged");
  });

  test("G7 does not write into a database that has something in it", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "belay-move-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const url = await server.createDatabase();
    const used = await startTestGateway({ env: { BELAY_DATABASE_URL: url } });
    await used.close();
    const gateway = await startTestGateway({ env: { BELAY_DATABASE_URL: undefined as unknown as string }, dataDir });
    await gateway.close();

    const moving = moveToPostgres({ dataDir, url, isDryRun: false, now: () => Date.now(), onProgress: () => {} });

    await expect(moving).rejects.toMatchObject({ code: "not-empty" });
    expect(existsSync(join(dataDir, "belay.db"))).toBe(true);
  });
});
