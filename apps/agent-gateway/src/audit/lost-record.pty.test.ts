import { mkdtempSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { belayJson, runBelay } from "../testing/belay-process.ts";
import { TestAgent } from "../testing/test-agent.ts";

const DAMAGED = /^belay: The record in \S+belay\.db is damaged, so nothing is done\. .* Restore it from a backup\./;

test("G3 a record that was removed while Belay was down is detected, and no new one is started", async () => {
  const { dataDir, gateway } = await start();
  gateway.child.kill("SIGTERM");
  await gateway.ended;

  for (const file of ["belay.db", "belay.db-wal", "belay.db-shm"]) rmSync(join(dataDir, file), { force: true });
  const ended = await runBelay(dataDir, ["start"]).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(DAMAGED);
  expect(ended.stderr).toContain("It was removed or replaced");
  expectSurvivalRow("`belay.db` is missing or replaced at the start", {
    belay: "does not start, because the checkpoints belong to another record",
    says: "on stderr, with what to do",
  });
});

test("G3 a truncated write-ahead log is detected, because its rows were signed", async () => {
  const { dataDir, gateway, agent } = await start();
  await agent.call("terminal", { command: "echo on record" });
  await agent.close();
  // After a quiet moment the rows are signed.
  await expect
    .poll(async () => belayJson(dataDir, "audit", "verify"), { timeout: 20_000 })
    .toMatchObject({ unsigned: 0 });
  gateway.child.kill("SIGKILL");
  await gateway.ended;

  truncateSync(join(dataDir, "belay.db-wal"), 0);
  const ended = await runBelay(dataDir, ["start"]).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(DAMAGED);
  expectSurvivalRow("the write-ahead log is truncated at the start", {
    belay: "does not start, because signed rows are missing",
    says: "on stderr, with what to do",
  });
});

test.each([
  ["the database", "belay.db"],
  ["its write-ahead log", "belay.db-wal"],
  ["its lock", "gateway.lock"],
])("G3 removing %s while Belay runs stops it at the next command", async (_, file) => {
  const { dataDir, url, agent } = await start();
  const work = mkdtempSync(join(tmpdir(), "belay-lost-"));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  await agent.call("terminal", { command: `echo before >> ${work}/marks` });

  renameSync(join(dataDir, file), join(work, file));
  const reply = await agent.client.callTool({
    name: "terminal",
    arguments: { command: `echo after >> ${work}/marks` },
  });
  const ready = await fetch(`${url}/readyz`);

  expect(reply.isError).toBe(true);
  expect(JSON.stringify(reply.content)).toContain(`${file} was removed or replaced while Belay was running`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: "degraded", problems: [{ part: "record" }] });
  expectSurvivalRow(`\`${file}\` is removed or replaced while it runs`, {
    belay: "runs no further commands",
    says: "to the agent, and in `/readyz`",
  });
});

async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-record-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const gateway = runBelay(dataDir, ["start"]);
  const url = await gateway.ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  onTestFinished(() => agent.close());
  return { dataDir, gateway, url, agent };
}
