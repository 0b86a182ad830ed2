import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyRecording } from "@belay/core";
import { expect, onTestFinished, test } from "vitest";
import { belayJson, runBelay } from "./testing/belay-process.ts";
import { startTestGateway } from "./testing/start-test-gateway.ts";
import { TestAgent } from "./testing/test-agent.ts";

test("G2 G4 G6 after kill -9 the record is intact, and running commands are closed when they end", async () => {
  const dataDir = temporaryDir();
  const killed = runBelay(dataDir, ["start"]);
  const agent = await connect(dataDir, await killed.ready);
  const running = await agent.call("terminal", { command: "echo begun; tail -f /dev/null", background: true });
  const terminalId = running.terminal_id as `pty-${string}`;

  killed.child.kill("SIGKILL");
  await killed.ended;
  const gateway = await startTestGateway({ dataDir, terminals: "own-process" });
  const closed = async () =>
    (await gateway.audit.list(50)).filter(
      ({ type, commandId }) => type === "command.closed" && commandId === running.handle_id,
    );
  const before = await closed();
  await gateway.terminals.kill(terminalId, { reason: "killed" });
  await gateway.close();
  const next = await startTestGateway({ dataDir });

  expect(before).toEqual([]);
  expect(await next.audit.verify()).toMatchObject({ ok: true });
  const after = (await next.audit.list(50)).filter(
    ({ type, commandId }) => type === "command.closed" && commandId === running.handle_id,
  );
  expect(after).toMatchObject([{ detail: { status: "ran", state: "exited" } }]);
  expect(await verifyRecording(join(dataDir, "recordings"), terminalId)).toEqual({ isIntact: true });
});

test("G2 a clean stop closes the records of running commands", async () => {
  const dataDir = temporaryDir();
  const first = await startTestGateway({ dataDir });
  const agent = await first.connectAgent();
  const running = await agent.call("terminal", { command: "echo begun; tail -f /dev/null", background: true });

  await agent.close();
  await first.close();
  const second = await startTestGateway({ dataDir });

  const closed = (await second.audit.list(20)).filter(
    (event) => event.commandId === running.handle_id && event.type === "command.closed",
  );
  expect(closed).toMatchObject([{ detail: { status: "ran", state: "exited" } }]);
  expect(await second.audit.verify()).toMatchObject({ ok: true });
});

test("G6 a data folder whose terminals are held by another process is refused", async () => {
  const dataDir = temporaryDir();
  const killed = runBelay(dataDir, ["start"]);
  const agent = await connect(dataDir, await killed.ready);
  await agent.call("terminal", { command: "echo begun" });
  killed.child.kill("SIGKILL");
  await killed.ended;

  await expect(startTestGateway({ dataDir })).rejects.toMatchObject({ code: "already-running" });
});

async function connect(dataDir: string, url: string): Promise<TestAgent> {
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  return TestAgent.connect(url, token);
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-restart-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
