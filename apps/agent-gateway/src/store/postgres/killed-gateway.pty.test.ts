import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CommandRecords } from "../../audit/command-records.ts";
import { GatewayWatch, GONE_AFTER_MS } from "../../audit/watch-gateways.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/database/postgres-server.ts";
import { openOnServer } from "../../testing/database/test-databases.ts";
import { findCommand, insertCommand, markCommandStarted } from "../tables/commands.ts";

const bin = findPostgres();
const WRITER = join(import.meta.dirname, "../../testing/database/writing-gateway.ts");
const row = (line: string) => ({ type: "command.opened", actor: { type: "system" }, detail: { line } }) as const;

describe.skipIf(bin === null)("a gateway that dies", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(String(bin));
  }, 60_000);
  afterAll(() => server?.close());

  test("G2 G7 kill -9 in the middle of a batch loses no row that it acknowledged, and breaks no chain", async () => {
    const living = await openOnServer(server, { mode: "shared" });
    const log = await living.open();
    const folder = mkdtempSync(join(tmpdir(), "belay-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

    for (const killAt of [3, 61]) {
      const acknowledged = await writeAndKill(living.url, folder, killAt, () => log.append(row("beside it")));
      await log.witness();

      const found = await log.verify();
      expect(found).toMatchObject({ ok: true, chains: [{ problem: null }, { gateway: 1, problem: null }] });
      const rows = await living.run("SELECT seq FROM audit_events WHERE seq > 1000000000000");
      const kept = new Set(rows.map(({ seq }) => Number(seq)));
      expect(acknowledged.filter((seq) => !kept.has(seq))).toEqual([]);
    }
    // The killed one itself finds its chain whole, and continues it.
    const back = await openOnServer(server, { url: living.url, mode: "shared", folder });
    const own = await back.open();
    expect(own.loss).toBeNull();
    await own.append(row("back"));
    expect(await own.verify()).toMatchObject({ ok: true });
    await Promise.all([log.close(), own.close()]);
  });

  test("G6 G7 what a gateway left open is closed by another, but only once it has been gone for long", async () => {
    const lost = await openOnServer(server, { mode: "shared" });
    const other = await openOnServer(server, { url: lost.url, mode: "shared" });
    const [lostLog, log] = [await lost.open(), await other.open()];
    const command = (id: "cmd-1" | "cmd-2") => ({
      ...({ id, agentId: "agt-1", terminalId: null, line: "make", request: null, openedAt: 1 } as const),
      ...{ startedAt: null, closedAt: null, outcome: null },
    });
    await lostLog.append(row("opened"), (tx) => [
      insertCommand(tx, command("cmd-1")),
      insertCommand(tx, command("cmd-2")),
      markCommandStarted(tx, "cmd-2", 2),
    ]);
    const withdrawn: string[] = [];
    const records = new CommandRecords({ db: other.db, audit: log, now: () => 5 });
    const watch = new GatewayWatch({
      ...{ db: other.db, audit: log, records, onClosed: () => {} },
      withdraw: async (id) => void withdrawn.push(id),
      onFailed: (error) => {
        throw error;
      },
    });
    onTestFinished(() => watch.close());
    const silence = () =>
      lost.tamper(`UPDATE gateways SET seen_at = seen_at - ${GONE_AFTER_MS + 60_000} WHERE number = 0`);
    const outcomes = async () =>
      Promise.all((["cmd-1", "cmd-2"] as const).map(async (id) => (await findCommand(other.db, id))?.outcome));

    // Silent for long, but its connection is there: as if only its clock or its timer had stopped.
    await silence();
    await watch.look();
    expect(await outcomes()).toEqual([null, null]);
    await lostLog.close();
    await lost.close();
    await other.run("UPDATE gateways SET seen_at = seen_at + 3600000 WHERE number = 0");
    await watch.look();
    expect(await outcomes()).toEqual([null, null]);
    await silence();
    await other.run("UPDATE gateways SET seen_at = seen_at - 3600000 WHERE number = 0");
    await watch.look();

    expect((await outcomes()).map((outcome) => JSON.parse(String(outcome)))).toEqual([
      { status: "failed", message: "The gateway that had it is gone. Nothing ran." },
      { status: "failed", hasBegun: true, message: expect.stringContaining("how it ended is not known") },
    ]);
    expect(withdrawn.sort()).toEqual(["cmd-1", "cmd-2"]);
    expect(await log.verify()).toMatchObject({ ok: true });
    await log.close();
  });
});

/** Lets a gateway in another process write until it acknowledged so many rows, and kills it. Returns those that it acknowledged. */
async function writeAndKill(url: string, folder: string, killAt: number, beside: () => Promise<unknown>) {
  const child = spawn(process.execPath, ["--no-warnings", "--experimental-strip-types", WRITER, url, folder], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const acknowledged: number[] = [];
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === killAt) child.kill("SIGKILL");
    if (acknowledged.length <= killAt) await beside();
  }
  await ended;
  expect(errors).toBe("");
  expect(acknowledged.length).toBeGreaterThanOrEqual(killAt);
  return acknowledged;
}
