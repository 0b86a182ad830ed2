import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { verifyRecording } from "@belay/core";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "./testing/start-test-gateway.ts";
import { TestAgent } from "./testing/test-agent.ts";

const BELAY = fileURLToPath(new URL("../bin/belay.mjs", import.meta.url));

test("G2 G4 after kill -9 the record is whole, what was open is closed, and recordings end properly", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-killed-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: dataDir,
    BELAY_DATA_DIR: dataDir,
    BELAY_WORKSPACE: tmpdir(),
    BELAY_PORT: "0",
  };
  const child = spawn(process.execPath, [BELAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await readyUrl(child.stdout);
  const agent = await connect(env, url);
  const { terminal_id } = await agent.call("terminal", { command: "echo on record" });
  const running = await agent.call("terminal", { command: "echo begun; tail -f /dev/null", background: true });

  child.kill("SIGKILL");
  await once(child, "exit");
  const gateway = await startTestGateway({ dataDir });

  expect(await gateway.audit.verify()).toMatchObject({ ok: true });
  const closed = (await gateway.audit.list(20)).filter(
    ({ type, commandId }) => type === "command.closed" && commandId === running.handle_id,
  );
  expect(closed).toMatchObject([
    { detail: { status: "failed", message: "The gateway ended before the command did." } },
  ]);
  const recordings = join(dataDir, "recordings");
  expect(await verifyRecording(recordings, terminal_id as `pty-${string}`)).toEqual({ isIntact: true });
});

test("G2 a stop on purpose closes the record of what was running, before the next start", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-stopped-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
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

async function connect(env: NodeJS.ProcessEnv, url: string): Promise<TestAgent> {
  const adding = spawn(process.execPath, [BELAY, "agent", "add", "tester", "--json"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of adding.stdout) text += chunk;
  return TestAgent.connect(url, JSON.parse(text).token);
}

async function readyUrl(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += chunk;
    const url = /^Belay is ready at (\S+)$/m.exec(text)?.[1];
    if (url) return url;
  }
  throw new Error("It ended before it was ready.");
}
