import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { runOnce } from "../run-once/run-once.ts";
import { expectSurvivalRow } from "../testing/survival-page.ts";
import { openTestPool } from "../testing/test-pool.ts";
import { readStat } from "./proc.ts";

it("C10 terminals are refused before descriptors run out, and every process can still be ended", async () => {
  const program = fileURLToPath(new URL("../testing/out-of-descriptors.ts", import.meta.url));
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const script = `ulimit -n 200 && exec "$0" --import "$1" "$2"`;

  const { stdout } = await promisify(execFile)("bash", ["-c", script, process.execPath, tsx, program]);
  const { refusal, pids, survivors } = JSON.parse(stdout) as { refusal: object; pids: number[]; survivors: unknown[] };

  expect(refusal).toEqual({ code: "pool-full", message: expect.stringMatching(/of 200 files are open.*ulimit -n/) });
  expect(pids.length).toBeGreaterThan(3);
  expect(survivors).toEqual([]);
  expect(pids.filter((pid) => ![undefined, "Z"].includes(readStat(pid)?.state))).toEqual([]);
  expectSurvivalRow("the host runs out of file descriptors", {
    belay: "refuses new terminals before that happens, and can still end running ones",
    says: "to the caller that requests a terminal, with how to raise the limit",
  });
});

it("A2 when memory runs out, a terminal's programs are killed before the host", async () => {
  const test = await openTestPool();
  const { id } = await test.spawn();

  const report = await test.run(id, "cat /proc/self/oom_score_adj; sh -c 'cat /proc/self/oom_score_adj'");
  const once = await runOnce({
    argv: ["/bin/sh", "-c", "sleep 0.1; cat /proc/self/oom_score_adj"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    marker: "oom",
  });

  expect(await test.outputOf(report)).toBe("500\r\n500\r\n");
  expect(once.stdout.trim()).toBe("500");
  await test.close();
  expectSurvivalRow("memory runs out", {
    belay: "makes the kernel kill programs in terminals before the host or the gateway",
    says: "not reported: the kernel does it",
  });
});
