import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/database/postgres-server.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

const bin = findPostgres();
const patience = { timeout: 40_000, interval: 100 };

describe.skipIf(bin === null)("PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(String(bin));
  }, 60_000);
  afterAll(() => server?.close());

  test("G7 G2 while the database is down nothing runs, and it continues by itself", async () => {
    const url = await server.createDatabase();
    const gateway = await startTestGateway({ env: { BELAY_DATABASE_URL: url } });
    const agent = await gateway.connectAgent();
    const run = (command: string) => agent.client.callTool({ name: "terminal", arguments: { command } });
    expect(JSON.stringify(await run("echo be-fore"))).toContain("be-fore");

    await server.kill();
    const during = await run("echo dur-ing").catch((error: Error) => ({ isError: true, content: error.message }));
    const notReady = await fetch(`${gateway.url()}/readyz`);
    await server.start();

    expect(during.isError).toBe(true);
    expect(notReady.status).toBe(503);
    await vi.waitFor(async () => expect((await fetch(`${gateway.url()}/readyz`)).status).toBe(200), patience);
    const after = await run("echo af-ter");
    expect(JSON.stringify(after.content)).toContain("af-ter");
    expect(await gateway.audit.verify()).toMatchObject({ ok: true });
    const { events } = await gateway.audit.search({ types: ["command.started"] }, { cursor: null, limit: 9 });
    expect(events).toHaveLength(2);
  });

  test("G7 one gateway at a time uses a database, and a superuser is refused", async () => {
    const url = await server.createDatabase();
    await startTestGateway({ env: { BELAY_DATABASE_URL: url } });

    await expect(startTestGateway({ env: { BELAY_DATABASE_URL: url } })).rejects.toMatchObject({
      code: "already-running",
      message: expect.stringContaining("Another Belay uses the database"),
    });
    const superuser = url.replace("belay@", "postgres@");
    await expect(startTestGateway({ env: { BELAY_DATABASE_URL: superuser } })).rejects.toMatchObject({
      code: "database-not-usable",
      message: expect.stringContaining("superuser"),
    });
    const missing = `${url}_missing`;
    await expect(startTestGateway({ env: { BELAY_DATABASE_URL: missing } })).rejects.toMatchObject({
      message: expect.stringMatching(/There is no such database at 127\.0\.0\.1:\d+\/belay_.*_missing/),
    });
  });
});
