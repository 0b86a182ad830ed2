import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/database/postgres-server.ts";
import { nextApproval } from "../../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";

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

  test.each(["immediate", "kill -9"] as const)(
    "G7 G2 C5 the server is stopped (%s) while a command runs and another waits: the first is recorded later, the second runs once",
    async (how) => {
      const url = await server.createDatabase();
      const gateway = await startTestGateway({ env: { BELAY_DATABASE_URL: url } });
      const operator = await gateway.asPerson("operator");
      const [running, waiting] = [
        await gateway.connectAgent({ name: "runs" }),
        await gateway.connectAgent({ name: "waits" }),
      ];
      const folder = mkdtempSync(join(tmpdir(), "belay-lost-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const [began, gate, marks] = [join(folder, "began"), join(folder, "gate"), join(folder, "marks")];
      const command = `touch ${began}; until [ -e ${gate} ]; do sleep 0.02; done; echo do-ne`;
      const ran = running.call("terminal", { command, idle_ms: 40_000 });
      await vi.waitFor(() => expect(existsSync(began)).toBe(true), patience);
      const asked = nextApproval(gateway);
      const answered = waiting.call("terminal", { command: `some-unknown-program; echo once >> ${marks}` });
      const { id } = await asked;

      await server.kill(how);
      const approve = () => operator.approvals.decide.mutate({ id, decision: "approve" });
      await expect(approve()).rejects.toThrow();
      writeFileSync(gate, "");
      const reply = await ran;
      await server.start();

      // It ran, although that could not be recorded at that moment.
      expect(reply).toMatchObject({ exit_code: 0, output: "do-ne" });
      expect(existsSync(marks)).toBe(false);
      await vi.waitFor(async () => expect((await fetch(`${gateway.url()}/readyz`)).status).toBe(200), patience);
      await vi.waitFor(async () => expect(await closedOf(gateway)).toContainEqual(["ran", 0]), patience);
      await approve();
      await answered;
      expect(readFileSync(marks, "utf8")).toBe("once\n");
      expect(await gateway.audit.verify()).toMatchObject({ ok: true });
      expectSurvivalRow(how === "immediate" ? "PostgreSQL stops at once" : "PostgreSQL is killed with -9", {
        belay: "runs nothing until it is back, keeps what runs and what waits, and records the end of a command then",
        says: "to the agent and the person who approves, and in `/readyz`",
      });
    },
  );

  test("G7 a gateway that cannot start leaves the database to the next one", async () => {
    const url = await server.createDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), "belay-broken-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    writeFileSync(join(dataDir, "security.json"), "{ broken");

    const failed = startTestGateway({ env: { BELAY_DATABASE_URL: url }, dataDir });

    await expect(failed).rejects.toThrow("security.json");
    const next = await startTestGateway({ env: { BELAY_DATABASE_URL: url } });
    expect(await next.audit.verify()).toMatchObject({ ok: true });
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

async function closedOf(gateway: TestGateway): Promise<unknown[]> {
  const { events } = await gateway.audit.search({ types: ["command.closed"] }, { cursor: null, limit: 9 });
  return events.map(({ detail }) => [detail.status, detail.exitCode]);
}
