import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalPool } from "./local-pool.ts";
import type { PoolEvent, SpawnRequest, TerminalPool } from "./terminal-pool.ts";

let dataDir: string;
let pool: TerminalPool;
let events: PoolEvent[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "belay-core-"));
  let count = 0;
  pool = createLocalPool({
    dataDir,
    baseEnv: { PATH: process.env.PATH ?? "", HOME: dataDir, LANG: "C.UTF-8" },
    newId: () => `pty-${++count}`,
    now: () => Date.now(),
  });
  events = [];
  pool.subscribe((event) => events.push(event));
});

afterEach(async () => {
  await pool.close();
  await rm(dataDir, { recursive: true, force: true });
});

function shellRequest(overrides: Partial<SpawnRequest> = {}): SpawnRequest {
  return {
    program: { type: "shell", shell: null, login: false },
    owner: "agent",
    visible: false,
    agentId: null,
    name: null,
    cwd: dataDir,
    env: {},
    cols: 80,
    rows: 24,
    limits: { idleTimeoutMs: null, maxLifetimeMs: null },
    provider: "local",
    ...overrides,
  };
}

const patiently = { type: "idle", idleMs: null, timeoutMs: 30_000 } as const;

async function outputOf(id: TerminalId, report: { startPosition: number; endPosition: number }): Promise<string> {
  const { bytes } = await pool.read(id, {
    fromPosition: report.startPosition,
    maxBytes: report.endPosition - report.startPosition,
  });
  return Buffer.from(bytes).toString();
}

describe("a shell in the pool", () => {
  it("A10 tells output and exit code of a command", async () => {
    const { id } = await pool.spawn(shellRequest());

    const report = await pool.run(id, { commandId: "cmd-1", line: "echo out; (exit 3)", wait: patiently });

    expect(report).toMatchObject({ state: "completed", evidence: "marker", exitCode: 3, cwd: dataDir });
    expect(await outputOf(id, report)).toBe("out\r\n");
  });

  it("A3 keeps folder, variables and functions from command to command", async () => {
    const { id } = await pool.spawn(shellRequest());

    await pool.run(id, { commandId: "cmd-1", line: "cd /usr; x=kept; f() { echo $x; }", wait: patiently });
    const report = await pool.run(id, { commandId: "cmd-2", line: "f", wait: patiently });

    expect(report).toMatchObject({ cwd: "/usr", exitCode: 0 });
    expect(await outputOf(id, report)).toBe("kept\r\n");
  });

  it("A2 says that a shell does not exist and starts nothing", async () => {
    const request = shellRequest({ program: { type: "shell", shell: "/bin/no-such-shell", login: false } });

    await expect(pool.spawn(request)).rejects.toMatchObject({ code: "shell-not-found" });

    expect(await pool.list()).toEqual([]);
  });

  it("B7 tells of the end before it ends the processes, and killing what is gone succeeds", async () => {
    const { id } = await pool.spawn(shellRequest());

    const report = await pool.kill(id, { reason: "killed" });

    expect(report).toEqual({ existed: true, survivors: [] });
    expect(events.map(({ type }) => type).slice(-2)).toEqual(["closed", "changed"]);
    expect(await pool.kill(id, { reason: "killed" })).toEqual({ existed: false, survivors: [] });
  });
});
