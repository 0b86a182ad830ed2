import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it, vi } from "vitest";
import { openTestContainers } from "../../testing/walls/container-image.ts";
import { openSandboxPool } from "../../testing/walls/sandbox-pool.ts";
import { Containers } from "../container.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const containers = openTestContainers();
afterAll(() => containers?.remove());

const MEMORY = {
  processes: null,
  memoryBytes: 64 << 20,
  cpus: null,
  openFiles: null,
  fileBytes: null,
  recordingBytes: null,
};

describe.runIf(containers)("C13 C16 a container whose own shell ends", () => {
  const open = () => {
    if (!containers) throw new Error("There is an engine.");
    const { engine, image } = containers;
    return openSandboxPool(
      {
        shown: { isolation: "container", network: "none" },
        container: { ...engine, image, user: null, readOnlyRoot: true },
      },
      { provider: "container", make: (folder) => new Containers(folder).provider },
    );
  };

  it("C13 C16 says that it was for memory, although the engine removes the group at once", async () => {
    const test = await open();
    const { id } = await test.spawn({ resources: MEMORY });

    const report = await test.run(id, "x=$(head -c 200m /dev/zero | tr '\\0' a)");

    expect(report).toMatchObject({ state: "exited", exitCode: 137, limit: "memory" });
  });

  it("C13 C16 says so after a program in it was ended for memory, too", async () => {
    const test = await open();
    const { id } = await test.spawn({ resources: MEMORY });

    const hog = await test.run(id, "head -c 200m /dev/zero | tail > /dev/null");
    const shell = await test.run(id, "exec tail /dev/zero");

    expect(hog).toMatchObject({ state: "completed", limit: "memory" });
    expect(shell).toMatchObject({ state: "exited", exitCode: 137, limit: "memory" });
  });

  it("C13 C16 names no limit if it was killed from outside, or ends with that code by itself", async () => {
    const test = await open();
    const end = async () => {
      const [killed, itself] = [await test.spawn({ resources: MEMORY }), await test.spawn({ resources: MEMORY })];
      const sleeping = await test.run(killed.id, "sleep 600", { wait: { type: "background", collectMs: 1 } });
      const { state } = await test.pool.get(killed.id);
      if (state.status === "running") process.kill(state.pid, "SIGKILL");
      return [await test.untilFinished(sleeping), await test.run(itself.id, "exit 137")];
    };

    const reports = await withoutOtherKills(end);

    for (const report of reports) {
      expect(report).toMatchObject({ state: "exited", exitCode: 137 });
      expect(report.limit).toBeUndefined();
    }
  });
});

/** Other tests on this machine may run out of memory at the same moment, and the kernel counts them together. */
async function withoutOtherKills<Value>(work: () => Promise<Value>): Promise<Value> {
  const count = () => /^oom_kill .*$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[0];
  for (;;) {
    const before = count();
    const value = await work();
    if (count() === before) return value;
  }
}
