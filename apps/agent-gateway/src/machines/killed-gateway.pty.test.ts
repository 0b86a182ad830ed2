import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandId, TerminalId } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { runBelay } from "../testing/belay-process.ts";
import { BY, connected } from "../testing/machines/joined.ts";
import { openLink } from "../testing/machines/test-link.ts";
import { startMachine } from "../testing/machines/test-machine.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

const PATIENCE = { timeout: 90_000, interval: 50 };

test("G7 G6 kill -9 of the gateway: a machine's shells keep their variables, and no command runs twice", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-killed-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await startTestGateway({ dataDir });
  const { token: joinToken } = await first.machines.add("build-1", { hours: 1 }, BY);
  const { token } = await first.agents.add({ name: "ci", machines: "build-1" }, BY);
  await first.close();
  const killed = runBelay(dataDir, ["start"]);
  const link = await openLink(await killed.ready);
  const machine = await startMachine({ url: link.url, token: joinToken });
  await machine.says('Connected to the gateway as "build-1"');
  const agent = await TestAgent.connect(await killed.ready, token);
  const prepared = await agent.call("terminal", { command: "export KEPT=yes; mkdir deep; cd deep" });
  expect(prepared).toMatchObject({ exit_code: 0, cwd: join(machine.workspace, "deep") });
  const wait = "while [ ! -e ../go ]; do sleep 0.02; done";
  const running = await agent.call("terminal", {
    command: `echo begun >> ../runs; ${wait}; echo ended-$KEPT >> ../runs; (exit 5)`,
    timeout: 300,
  });
  const [terminalId, commandId] = [running.terminal_id as TerminalId, running.handle_id as CommandId];
  // On a busy machine the agent may have its reply before the command is typed.
  await vi.waitFor(async () => expect(await runs().catch(String), JSON.stringify(running)).toBe("begun\n"), PATIENCE);

  killed.child.kill("SIGKILL");
  await killed.ended;
  const gateway = await startTestGateway({ dataDir, terminals: "own-process" });
  link.leadTo(gateway.url());
  await connected(gateway, "build-1");
  await writeFile(join(machine.workspace, "go"), "");

  // It ended once, and its record is closed with how it ended.
  await vi.waitFor(async () => {
    const known = JSON.stringify({ running, terminals: await gateway.terminals.list() });
    expect(await closings(), `${known}\n${machine.printed()}`).toMatchObject([{ detail: { exitCode: 5 } }]);
  }, PATIENCE);
  expect(await runs()).toBe("begun\nended-yes\n");
  const again = await TestAgent.connect(gateway.url(), token);
  const reply = await again.call("terminal", { command: 'echo $KEPT $(basename "$PWD")', terminal_id: terminalId });
  expect(reply).toMatchObject({ exit_code: 0, output: "yes deep" });
  expect(await gateway.audit.verify()).toMatchObject({ ok: true });

  function runs() {
    return readFile(join(machine.workspace, "runs"), "utf8");
  }

  async function closings() {
    const events = await gateway.audit.list(100);
    return events.filter((event) => event.type === "command.closed" && event.commandId === commandId);
  }
});
