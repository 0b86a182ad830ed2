import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalInfo } from "@belay/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import type { PoolEvent } from "./terminal-pool.ts";

let test: TestPool;
beforeEach(async () => {
  test = await openTestPool();
});
afterEach(() => test.close());

/** Every process whose command line contains a text. */
function pidsOf(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readCommandLine(pid).includes(text))
    .map(Number);
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return ""; // It has ended.
  }
}

function nextEvent(isIt: (event: PoolEvent) => boolean): Promise<PoolEvent> {
  return new Promise((resolve) => {
    const stop = test.pool.subscribe((event) => {
      if (!isIt(event)) return;
      stop();
      resolve(event);
    });
  });
}

const closedAs = (terminal: TerminalInfo, reason: string) => (event: PoolEvent) =>
  event.type === "changed" &&
  event.terminal.id === terminal.id &&
  event.terminal.state.status === "closed" &&
  event.terminal.state.reason === reason;

// A unique number of seconds, by which a fixture is found.
let seconds = 100_000 + (process.pid % 10_000);
const uniqueSleep = () => `sleep ${++seconds}`;

describe("C10 nothing outlives its terminal:", () => {
  it.each([
    ["a job in the background", (sleep: string) => `${sleep} &`],
    ["nohup", (sleep: string) => `nohup ${sleep} >/dev/null 2>&1 &`],
    ["setsid", (sleep: string) => `setsid ${sleep} </dev/null >/dev/null 2>&1 &`],
    ["a double fork", (sleep: string) => `(setsid sh -c '${sleep} & exec sleep 0' </dev/null >/dev/null 2>&1 &)`],
    ["one that ignores every signal it can", (sleep: string) => `sh -c 'trap "" TERM HUP INT; ${sleep} & wait' &`],
    [
      "a stopped one",
      (sleep: string) => `${sleep} & while ! pgrep -f "^${sleep}" >/dev/null; do :; done; kill -STOP $!`,
    ],
    ["one that emptied its environment", (sleep: string) => `sh -c 'env -i setsid ${sleep} & wait' &`],
    ["disown", (sleep: string) => `${sleep} & disown`],
  ])("%s", async (_, escapeWith) => {
    const sleep = uniqueSleep();
    const { id } = await test.spawn();
    await test.run(id, escapeWith(sleep));
    await test.run(id, `while ! pgrep -f '^${sleep}' >/dev/null; do :; done`);
    expect(pidsOf(sleep)).not.toEqual([]);

    const report = await test.pool.kill(id, { reason: "killed" });

    expect(report).toEqual({ existed: true, survivors: [] });
    expect(pidsOf(sleep)).toEqual([]);
  });

  it("C10 even when the shell exits by itself", async () => {
    const sleep = uniqueSleep();
    const terminal = await test.spawn();
    await test.run(terminal.id, `setsid ${sleep} </dev/null >/dev/null 2>&1 &`);
    const closed = nextEvent(closedAs(terminal, "exited"));

    await test.run(terminal.id, "exit 0");
    await closed;

    expect(pidsOf(sleep)).toEqual([]);
  });

  it("C10 closing the pool ends all terminals and deletes their files", async () => {
    const sleep = uniqueSleep();
    for (let count = 0; count < 5; count++) await test.spawn({ program: { type: "argv", argv: sleep.split(" ") } });

    await test.pool.close();

    expect(pidsOf(sleep)).toEqual([]);
    await expect(test.spawn()).rejects.toMatchObject({ code: "pool-closed" });
  });

  it("a terminal can be killed right after its start", async () => {
    const terminals = await Promise.all(Array.from({ length: 10 }, () => test.spawn()));

    const reports = await Promise.all(terminals.map(({ id }) => test.pool.kill(id, { reason: "killed" })));

    expect(reports.every(({ survivors }) => survivors.length === 0)).toBe(true);
    expect(await test.pool.list()).toEqual([]);
  });
});

describe("what a terminal's programs inherit:", () => {
  it("no descriptor of another terminal, or of the host", async () => {
    await test.spawn();
    const { id } = await test.spawn();

    const report = await test.run(id, "ls -l /proc/self/fd");

    expect(await test.outputOf(report)).not.toMatch(/ptmx|socket:|pipe:/);
  });

  it("A2 TERM, pagers that cannot run commands, and only variables that were given", async () => {
    const { id } = await test.spawn({ env: { GIVEN: "by the caller" } });

    const report = await test.run(id, "env | grep -v BELAY_TERMINAL | cut -d= -f1 | sort | tr '\\n' ' '");

    expect((await test.outputOf(report)).trim()).toBe(
      "ENV GIVEN HOME LANG LESSSECURE PATH PWD SHLVL SYSTEMD_PAGERSECURE TERM _",
    );
  });

  it("an agent's shell does not touch the person's history", async () => {
    const terminal = await test.spawn();
    const closed = nextEvent(closedAs(terminal, "exited"));
    await test.run(terminal.id, "echo secret");

    await test.run(terminal.id, "exit");
    await closed;

    expect(existsSync(join(test.folder, ".bash_history"))).toBe(false);
  });
});

describe("terminals that end by the clock:", () => {
  it("B12 an unused terminal closes", async () => {
    const terminal = await test.spawn({ limits: { idleTimeoutMs: 200, maxLifetimeMs: null } });

    await nextEvent(closedAs(terminal, "idle"));

    await expect(test.run(terminal.id, "true")).rejects.toMatchObject({ code: "terminal-closed" });
  });

  it("B12 a running command keeps it open, even a silent one", async () => {
    const { id } = await test.spawn({ limits: { idleTimeoutMs: 200, maxLifetimeMs: null } });

    const report = await test.run(id, "sleep 1; (exit 9)");

    expect(report).toMatchObject({ state: "completed", exitCode: 9 });
  });

  it("B6 a terminal that a person took over never closes when idle", async () => {
    const terminal = await test.spawn({ limits: { idleTimeoutMs: 600, maxLifetimeMs: 600 } });
    const promoted = await test.pool.promote(terminal.id);

    // By the time this one has closed, the first would have closed too.
    const other = await test.spawn({ limits: { idleTimeoutMs: 1000, maxLifetimeMs: null } });
    await nextEvent(closedAs(other, "idle"));

    expect(promoted).toMatchObject({ owner: "user", visible: true });
    expect(await test.pool.get(terminal.id)).toMatchObject({ state: { status: "running" } });
    await expect(test.pool.promote(terminal.id)).rejects.toMatchObject({ code: "not-agent-owned" });
  });

  it("D5 a terminal closes at the end of its lifetime, even with a running program", async () => {
    const terminal = await test.spawn({
      program: { type: "argv", argv: ["sleep", "1000"] },
      limits: { idleTimeoutMs: null, maxLifetimeMs: 100 },
    });

    await nextEvent(closedAs(terminal, "expired"));
  });
});
