import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { belayJson, runBelay } from "../../../testing/belay-process.ts";
import { hostPidsOf, isAlive } from "../../../testing/end-host.ts";
import { TestAgent } from "../../../testing/test-agent.ts";

test("G6 a host as a service outlives its gateways, ends its terminals on SIGTERM, and says how many", async () => {
  const dataDir = temporaryDir();
  const service = runBelay(dataDir, ["host"]);
  await said(service.child.stdout, "The terminals run here.");
  const first = runBelay(dataDir, ["start", "--keep-terminals"]);
  const url = await first.ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  const { output: pid, terminal_id } = await agent.call("terminal", { command: "echo $$" });
  const attack = await agent.call("terminal", { command: `kill -9 ${service.child.pid}` });
  await agent.close();

  first.child.kill("SIGTERM");
  const { stdout: firstSaid } = await first.ended;
  const second = runBelay(dataDir, ["start"]);
  const again = await TestAgent.connect(await second.ready, token);
  const found = await again.call("terminal", { command: "echo still here", terminal_id });
  await again.close();
  service.child.kill("SIGTERM");
  const ended = await service.ended;

  expect(attack).toMatchObject({ security_blocked: true });
  expect(firstSaid).toContain("keeping 1 terminal …\nStopped.");
  expect(found).toMatchObject({ terminal_id, output: "still here" });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toMatch(/\nStopping, ending 1 terminal …\nStopped\.\n$/);
  expect(isAlive(Number(pid))).toBe(false);
});

test("G6 a stopping gateway ends the terminals of a host service, but not the service", async () => {
  const dataDir = temporaryDir();
  const service = runBelay(dataDir, ["host"]);
  await said(service.child.stdout, "The terminals run here.");
  const gateway = runBelay(dataDir, ["start"]);
  const url = await gateway.ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  const { output: pid } = await agent.call("terminal", { command: "echo $$" });
  await agent.close();

  gateway.child.kill("SIGTERM");
  const { stdout } = await gateway.ended;
  const next = runBelay(dataDir, ["start"]);
  await next.ready;

  expect(stdout).toContain("ending 1 terminal …\nStopped.");
  expect(isAlive(Number(pid))).toBe(false);
  // The service accepted the next gateway: no second host was started.
  expect(hostPidsOf(dataDir)).toEqual([]);
  expect(service.child.exitCode).toBeNull();
});

test("G6 a second host on the same data folder is refused with one sentence", async () => {
  const dataDir = temporaryDir();
  const service = runBelay(dataDir, ["host"]);
  await said(service.child.stdout, "The terminals run here.");

  const second = await runBelay(dataDir, ["host"]).ended;

  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(second.stderr).toBe(`belay: Another host holds the terminals of ${dataDir} already.\n`);
});

async function said(output: NodeJS.ReadableStream | null, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    let all = "";
    output?.on("data", (chunk) => {
      all += chunk;
      if (all.includes(text)) resolve();
    });
  });
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-service-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
