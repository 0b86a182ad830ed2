import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceLimits, TerminalId } from "@belay/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { openSandboxPool } from "../testing/walls/sandbox-pool.ts";
import { findCgroupPlaces } from "./cgroup-places.ts";

const MEGABYTE = 1024 * 1024;
const NO_LIMITS: ResourceLimits = {
  processes: null,
  memoryBytes: null,
  cpus: null,
  openFiles: null,
  fileBytes: null,
  recordingBytes: null,
};
const places = findCgroupPlaces();

const opened: TestPool[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

async function openLocalPool(): Promise<TestPool> {
  const test = await openTestPool();
  opened.push(test);
  return test;
}

const PROVIDERS = [
  { name: "local", open: openLocalPool, isHere: true },
  { name: "bubblewrap", open: openSandboxPool, isHere: hasSandbox },
];

describe.each(PROVIDERS)("limits of a terminal ($name)", ({ open, isHere }) => {
  it.runIf(isHere && places.pids)("C13 a terminal that starts too many programs is ended, and no other", async () => {
    const test = await open();
    const other = await test.spawn();
    const { id } = await test.spawn({ resources: { ...NO_LIMITS, processes: 40 } });

    // Bounded, in case the limit does not work.
    const report = await test.run(id, "for i in $(seq 120); do sleep 300 & done; wait");

    expect(report).toMatchObject({ state: "exited", limit: "processes" });
    expect(await closedState(test, id)).toMatchObject({ status: "closed", reason: "limit" });
    expect(await test.run(other.id, "echo still here")).toMatchObject({ exitCode: 0 });
  });

  it.runIf(isHere && places.memory)("C13 only the program that uses too much memory is ended", async () => {
    const test = await open();
    const { id } = await test.spawn({ resources: { ...NO_LIMITS, memoryBytes: 64 * MEGABYTE } });

    const report = await test.run(id, "head -c 200m /dev/zero | tail > /dev/null");
    const next = await test.run(id, "echo goes on");

    expect(report).toMatchObject({ state: "completed", exitCode: 137, limit: "memory" });
    expect(next).toMatchObject({ state: "completed", exitCode: 0 });
    expect(next.limit).toBeUndefined();
  });

  it.runIf(isHere)("C13 a file cannot grow past the largest size", async () => {
    const test = await open();
    const { id } = await test.spawn({ resources: { ...NO_LIMITS, fileBytes: 2 * MEGABYTE, openFiles: 64 } });

    const report = await test.run(id, "head -c 20m /dev/zero > growing");
    const size = await test.run(id, "wc -c < growing; ulimit -n");

    expect(report).toMatchObject({ state: "completed", exitCode: 153, limit: "file-size" });
    expect(await test.outputOf(size)).toBe(`${2 * MEGABYTE}\r\n64\r\n`);
  });

  it.runIf(isHere && places.cpu && places.memory)(
    "C13 the kernel enforces the limits until the terminal closes",
    async () => {
      const test = await open();
      const { id, limits } = await test.spawn({
        resources: { ...NO_LIMITS, cpus: 0.5, memoryBytes: 64 * MEGABYTE, processes: 50 },
      });
      await test.run(id, "true");
      const pid = await pidOf(test, id);
      const groups = groupsOf(pid);

      expect(limits).toMatchObject({ cpus: 0.5 });
      expect(groups.length).toBeGreaterThan(0);
      for (const [file, value] of [
        ["pids.max", "50"],
        ["memory.limit_in_bytes", String(64 * MEGABYTE)],
        ["memory.max", String(64 * MEGABYTE)],
        ["cpu.cfs_quota_us", "50000"],
        ["cpu.max", "50000 100000"],
      ] as const) {
        for (const found of groups.map((group) => join(group, file)).filter(existsSync)) {
          expect(readFileSync(found, "utf8").trim()).toBe(value);
        }
      }
      await test.pool.kill(id, { reason: "killed" });
      expect(groups.filter(existsSync)).toEqual([]);
    },
  );

  it.runIf(isHere && places.pids)("C10 C13 a process that left its session and environment ends with it", async () => {
    const test = await open();
    const { id } = await test.spawn({ resources: { ...NO_LIMITS, processes: 50 } });
    await test.run(id, "(env -i setsid sleep 98764 > /dev/null 2>&1 &)");

    const { survivors } = await test.pool.kill(id, { reason: "killed" });

    expect(survivors).toEqual([]);
  });
});

async function pidOf({ pool }: TestPool, id: TerminalId): Promise<number> {
  const { state } = await pool.get(id);
  if (state.status !== "running") throw new Error("It does not run.");
  return state.pid;
}

async function closedState({ pool }: TestPool, id: TerminalId) {
  for (;;) {
    const { state } = await pool.get(id);
    if (state.status === "closed") return state;
    await new Promise<void>((resolve) => {
      const stop = pool.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
}

/** The folders of a process's groups that Belay made. */
function groupsOf(pid: number): string[] {
  const lines = readFileSync(`/proc/${pid}/cgroup`, "utf8").split("\n");
  return Object.entries(places).flatMap(([controller, { version, folder }]) => {
    const line = lines.find((text) => text.split(":")[1] === (version === 1 ? controller : ""));
    const [own] = /belay-.*$/.exec(line ?? "") ?? [];
    return own === undefined ? [] : [join(folder, own)];
  });
}
