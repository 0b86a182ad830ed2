import { readdirSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { installedShells } from "../testing/installed-shells.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { openSandboxPool } from "../testing/walls/sandbox-pool.ts";

vi.setConfig({ testTimeout: 60_000 });

const LEAVE_3 = { bash: "(exit 3)", zsh: "(exit 3)", fish: "sh -c 'exit 3'", sh: "(exit 3)" };

describe.runIf(hasSandbox)("C4 shells in a sandbox", () => {
  for (const { kind, path } of installedShells()) {
    it.skipIf(path === null)(`C4 D2 ${kind} has its markers, jobs, sizes and interrupts`, async () => {
      const test = await openSandboxPool();
      const { id } = await test.spawn({ program: { type: "shell", shell: path, login: false } });

      const first = await test.run(id, `echo here > made; pwd; ${LEAVE_3[kind]}`);
      const home = await test.run(id, 'cd /tmp; cd "$HOME"; ls -a | wc -l');
      await test.pool.resize(id, { cols: 100, rows: 40 });
      const size = await test.run(id, 'sh -c \'until [ "$(stty size)" = "40 100" ]; do :; done\'; stty size');
      const asking = await test.run(id, "head -1");
      await test.pool.write(id, "an answer\n");
      const answered = await test.untilFinished(asking);
      const sleeping = await test.run(id, "sh -c 'echo be''gun; exec sleep 300'", {
        wait: { type: "background", collectMs: 1 },
      });
      await vi.waitFor(async () => expect((await test.pool.history(id, 65_536)).text).toContain("begun"), 20_000);
      await test.pool.write(id, "\x03");
      const interrupted = await test.untilFinished(sleeping);
      const jobs = await test.run(id, "sleep 300 & jobs");

      expect(first).toMatchObject({ state: "completed", exitCode: 3, evidence: "marker" });
      expect(await test.outputOf(first)).toContain(`${test.workspace}\r\n`);
      expect(readdirSync(test.workspace)).toContain("made");
      expect(home).toMatchObject({ state: "completed", exitCode: 0, evidence: "marker" });
      expect(await test.outputOf(size)).toMatch(/(^|m)40 100\r\n$/);
      expect(asking).toMatchObject({ state: "waiting_input", evidence: "kernel" });
      expect(answered).toMatchObject({ state: "completed", exitCode: 0 });
      expect(interrupted).toMatchObject({ state: "completed", exitCode: 130 });
      expect(await test.outputOf(jobs)).toMatch(/sleep 300/);
    });

    it.skipIf(path === null)(`C4 ${kind} starts in time, without reading what is not there`, async () => {
      const test = await openSandboxPool();
      const { id } = await test.spawn({ program: { type: "shell", shell: path, login: false } });

      await test.run(id, "true");

      const { text } = await test.pool.history(id, 65_536);
      expect(text).not.toMatch(/No such file|Permission denied|Read-only|cannot|error|warning/i);
    });
  }
});
