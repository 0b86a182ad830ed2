/**
 * What a preview takes beyond the command itself: to ask the shell for its state, lay the layers, run on them and read
 * what changed, in a workspace of 10,000 files.
 */
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PreviewThread, previewAbility } from "@belay/core";
import { openBenchPool } from "./core-fixtures.ts";
import { addRow } from "./harness/report.ts";

const ROUNDS = 40;
const FILES = 10_000;
const LINES = ["sed -i s/file/FILE/ d0/e0/f1.txt", "rm -r d1", "echo new > made.txt", "grep -rl word d2 | wc -l"];

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const ability = await previewAbility();
if (ability.status === "missing") {
  console.log(`preview: not measured. ${ability.reason}`);
  process.exit(0);
}
const { pool, folder, spawn, run, close } = openBenchPool();
const threads = new PreviewThread();
try {
  const root = join(realpathSync(folder), "work");
  for (let at = 0; at < FILES; at += 1) {
    const place = join(root, `d${Math.floor(at / 1000)}`, `e${Math.floor(at / 20) % 50}`);
    if (at % 20 === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `f${at}.txt`), `file ${at}\n`.repeat(20));
  }
  const id = await spawn({ cwd: root, program: { type: "shell", shell: "/bin/bash", login: false } });
  await run(id, "true");
  const beyond: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const line = LINES[at % LINES.length] ?? "";
    const dir = join(folder, "data", "previews", String(at));
    const beganAt = performance.now();
    const { kind, shellPath, text, cwd } = await pool.shellState(id);
    const { durationMs } = await threads.calls.preview(`bench-${at}`, {
      program: { type: "line", line, kind, shellPath, state: text, env: {} },
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: folder },
      stdin: null,
      roots: [root, tmpdir(), "/var/tmp"],
      ownRoots: [],
      hidden: [join(folder, "data")],
      readable: [],
      missing: [],
      wall: null,
      dir,
      timeoutMs: 20_000,
      maxBytes: 256_000_000,
    });
    await threads.calls.show(dir);
    const wholeMs = performance.now() - beganAt;
    const realAt = performance.now();
    await run(id, `(${line.replace(/^rm -r .*/, "true")}) >/dev/null`);
    beyond.push(wholeMs - (performance.now() - realAt));
    rmSync(dir, { recursive: true, force: true });
    if (process.env.BENCH_VERBOSE)
      console.log(`  ${line}: ${wholeMs.toFixed(0)} ms, ${durationMs.toFixed(0)} of them in the layers`);
  }
  const p50 = median(beyond);
  addRow({
    what: "a preview beyond the command itself, among 10,000 files, p50 ms",
    measured: `${p50.toFixed(1)} ms`,
    value: p50,
    goal: { atMost: 100 },
    peers: {},
  });
} finally {
  await threads.close();
  await close();
}
