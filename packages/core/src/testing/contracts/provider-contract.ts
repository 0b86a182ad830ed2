import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import type { TestPool } from "../test-pool.ts";

export type OpenProviderPool = () => Promise<TestPool & { workspace: string }>;

const NO_LIMITS = {
  processes: null,
  memoryBytes: null,
  cpus: null,
  openFiles: null,
  fileBytes: null,
  recordingBytes: null,
};

/** What a terminal does with every provider. */
export function describeProvider(name: string, open: OpenProviderPool): void {
  describe(`a terminal of ${name}`, () => {
    it("C4 runs commands with their exit codes, by the marker of the shell", async () => {
      const test = await open();
      const { id } = await test.spawn();

      const report = await test.run(id, "echo here > made; pwd; (exit 3)");

      expect(report).toMatchObject({ state: "completed", exitCode: 3, evidence: "marker" });
      expect(await test.outputOf(report)).toBe(`${test.workspace}\r\n`);
      expect(await readdir(test.workspace)).toContain("made");
    });

    it("C4 has the jobs, sizes and interrupts of a real terminal", async () => {
      const test = await open();
      const { id } = await test.spawn();

      const jobs = await test.run(id, "sleep 300 & jobs");
      await test.pool.resize(id, { cols: 100, rows: 40 });
      const size = await test.run(id, "until [ \"$(stty size)\" = '40 100' ]; do :; done; stty size");
      const sleeping = await test.run(id, "sh -c 'echo be''gun; exec sleep 300'", {
        wait: { type: "background", collectMs: 1 },
      });
      // An interrupt that comes before the program is in the foreground would reach the shell instead.
      await vi.waitFor(async () => expect((await test.pool.history(id, 65_536)).text).toContain("begun"), 20_000);
      await test.pool.write(id, "\x03");

      expect(await test.outputOf(jobs)).toContain("Running");
      expect(await test.outputOf(size)).toBe("40 100\r\n");
      expect(await test.untilFinished(sleeping)).toMatchObject({ state: "completed", exitCode: 130 });
    });

    it("C4 is seen by the kernel to wait for input", async () => {
      const test = await open();
      const { id } = await test.spawn();

      const asking = await test.run(id, "head -1");
      const reader = await test.pool.reader(id);
      await test.pool.write(id, "an answer\n");

      expect(asking).toMatchObject({ state: "waiting_input", evidence: "kernel" });
      expect(reader).toMatchObject({ kind: "program", processes: [{ argv: ["head", "-1"] }] });
      expect(await test.untilFinished(asking)).toMatchObject({ exitCode: 0 });
    });

    it("C10 ends with all that it started, including what tried to get away", async () => {
      const test = await open();
      const { id } = await test.spawn({ resources: { ...NO_LIMITS, processes: 100 } });
      const seconds = `98${process.pid}`;
      await test.run(id, `env -i setsid nohup sleep ${seconds} > /dev/null 2>&1 & sleep 0.1; disown -a`);

      const { survivors } = await test.pool.kill(id, { reason: "killed" });

      expect(survivors).toEqual([]);
      expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(`sleep ${seconds}`);
    });

    it("C13 keeps to its limits, and names the one that was reached", async () => {
      const test = await open();
      const limits = { ...NO_LIMITS, processes: 60, memoryBytes: 64 << 20, fileBytes: 2 << 20 };
      const { id } = await test.spawn({ resources: limits });

      const grown = await test.run(id, "head -c 20m /dev/zero > growing");
      const hog = await test.run(id, "head -c 200m /dev/zero | tail > /dev/null");
      const bomb = await test.run(id, "for i in $(seq 120); do sleep 300 & done; wait");

      expect([grown.limit, hog.limit, bomb.limit]).toEqual(["file-size", "memory", "processes"]);
      expect(bomb.state).toBe("exited");
    });
  });
}
