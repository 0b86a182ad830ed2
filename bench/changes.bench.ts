/**
 * What the history of a workspace costs a command: the scan before it, and the counts that its reply waits for.
 * A read-only command needs neither. Then how the store grows with a day of small edits.
 */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HistoryThread } from "@belay/core";
import { defaultPolicy, judge } from "@belay/policy";
import { addRow } from "./harness/report.ts";

const EDITS = 60;
const DAY_OF_EDITS = 300;
const searchPath = process.env.PATH ?? "";
const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const verdict = (isReached: boolean) => (isReached ? "reached" : "MISSED");

async function measure(files: number, goalMs: number): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "belay-bench-changes-")));
  const workspace = join(base, "work");
  const thread = new HistoryThread();
  try {
    for (let at = 0; at < files; at += 1) {
      const folder = join(workspace, `d${Math.floor(at / 1000)}`, `e${Math.floor(at / 20) % 50}`);
      if (at % 20 === 0) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `f${at}.txt`), `file ${at}\n`.repeat(20));
    }
    const options = {
      dir: join(base, "history"),
      searchPath,
      include: [],
      exclude: [],
      maxFileBytes: 10_000_000,
      maxBytes: 2_000_000_000,
    };
    const { calls } = thread;
    const beganAt = performance.now();
    await calls.mark(workspace, options);
    const firstMs = performance.now() - beganAt;
    const { bytes: firstBytes } = await calls.status(workspace, options);
    const onPath: number[] = [];
    const edit = async (at: number) => {
      const start = performance.now();
      const before = await calls.mark(workspace, options);
      const beforeMs = performance.now() - start;
      appendFileSync(join(workspace, "d0", "e0", `f${at % 20}.txt`), `one more line ${at}\n`);
      const ended = performance.now();
      await calls.markAndList(workspace, before, options);
      onPath.push(beforeMs + performance.now() - ended);
      // A person or a model takes longer than this before the next command.
      await calls.status(workspace, options);
    };
    for (let at = 0; at < EDITS; at += 1) await edit(at);
    const p50 = median([...onPath]);
    addRow({
      what: `what a command that may write waits for among ${files.toLocaleString("en")} files, p50 ms`,
      measured: `${p50.toFixed(1)} ms`,
      value: p50,
      goal: { atMost: goalMs },
      peers: {},
    });
    console.log(`  first look ${(firstMs / 1000).toFixed(1)} s, ${(firstBytes / 1e6).toFixed(1)} MB kept`);
    if (files > 10_000) return;
    for (let at = 0; at < DAY_OF_EDITS; at += 1) await edit(at);
    const grown = (await calls.status(workspace, options)).bytes - firstBytes;
    await calls.prune(workspace, { beforeMs: 0, maxBytes: 2_000_000_000 }, options);
    const packed = (await calls.status(workspace, options)).bytes - firstBytes;
    console.log(
      `  ${EDITS + DAY_OF_EDITS} edits of one file each: the store grows by ${(grown / 1e6).toFixed(2)} MB, ` +
        `${(packed / 1e6).toFixed(2)} MB once packed`,
    );
  } finally {
    await thread.close();
    rmSync(base, { recursive: true, force: true });
  }
}

console.log("changes: what a command that may write waits for");
const reads = ["git status", "ls -la", "grep -rn word src", "cat a.txt | head -3"];
const isFree = reads.every((line) => !judge(line, { profile: "standard" }, defaultPolicy).mayWrite);
console.log(`  read-only commands: nothing at all (${verdict(isFree)})`);
await measure(10_000, 5);
await measure(100_000, 50);
