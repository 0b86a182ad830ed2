import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { findPostgres, startPostgres } from "../../testing/database/postgres-server.ts";
import { fillDisk } from "../../testing/disks/fill-disk.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

const bin = findPostgres();
const patience = { timeout: 40_000, interval: 100 };

test.skipIf(bin === null)(
  "G7 G2 the disk of the PostgreSQL server is full: nothing runs until there is room",
  async (context) => {
    if (userInfo().uid !== 0) return context.skip("only root can give the server a disk of its own");
    const server = await startPostgres(String(bin), { diskMb: 150 });
    onTestFinished(() => server.close());
    const gateway = await startTestGateway({ env: { BELAY_DATABASE_URL: await server.createDatabase() } });
    // The gateway ends before its server does.
    onTestFinished(() => gateway.close());
    const agent = await gateway.connectAgent();
    const folder = mkdtempSync(join(tmpdir(), "belay-full-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const marks = join(folder, "marks");
    let last = 0;
    const hasRun: string[] = [];
    const run = async () => {
      last += 1;
      const command = `echo ${last} >> ${marks}`;
      const { isError } = await agent.client.callTool({ name: "terminal", arguments: { command } });
      if (isError !== true) hasRun.push(String(last));
      return isError !== true;
    };
    const readiness = async () => (await fetch(`${gateway.url()}/readyz`)).status;
    expect(await run()).toBe(true);

    fillDisk(server.onDisk("filler"));
    // The pages that the tables have already take some more rows.
    await vi.waitFor(async () => expect([await run(), await readiness()]).toEqual([false, 503]), patience);
    rmSync(server.onDisk("filler"));

    await vi.waitFor(async () => expect(await readiness()).toBe(200), patience);
    expect(await run()).toBe(true);
    expect(readFileSync(marks, "utf8").trim().split("\n")).toEqual(hasRun);
    expect(await gateway.audit.verify()).toMatchObject({ ok: true });
    expectSurvivalRow("the disk of the PostgreSQL server is full", {
      belay: "runs nothing, and continues by itself once there is room",
      says: "to the agent, and in `/readyz`",
    });
  },
);
