import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { History } from "../../changes/history.ts";
import { nodeArguments } from "../../own-programs.ts";
import { Random } from "./random.ts";
import { differences, fillScratchTree, markEverything, readTree, scratchHistory } from "./scratch-tree.ts";

const CHILD = new URL("./crash-child.ts", import.meta.url);
/** Long enough for some rounds of change, snapshot and undo. */
const LONGEST_MS = 1_500;

export interface CrashReport {
  kills: number;
  /** How many of them interrupted an undo. */
  inUndo: number;
  problems: string[];
}

/** Kills a process during snapshots and undos at random moments; a new one must then find a consistent state, or restore it. */
export async function proveCrashes(seed: number, rounds: number, searchPath: string): Promise<CrashReport> {
  const report: CrashReport = { kills: 0, inUndo: 0, problems: [] };
  for (let round = 0; round < rounds; round += 1) await crashOnce(seed + round, searchPath, report);
  return report;
}

async function crashOnce(seed: number, searchPath: string, report: CrashReport): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "belay-crash-"));
  const root = join(base, "work");
  mkdirSync(root);
  const random = new Random(seed);
  fillScratchTree(root, random);
  const first = readTree(root);
  writeFileSync(join(base, "phase"), "work");
  const options = scratchHistory(base, searchPath);
  try {
    const early = await History.open(options);
    const { epoch, lastSeq } = early;
    early.close();
    await killChild(base, seed, searchPath, random.below(LONGEST_MS));
    report.kills += 1;

    const history = await History.open(options);
    const problem = (what: string) => report.problems.push(`seed ${seed}: ${what}`);
    if (history.epoch !== epoch) problem("the history was restarted");
    if (readFileSync(join(base, "phase"), "utf8") === "undo") {
      report.inUndo += 1;
      const states = JSON.parse(readFileSync(join(base, "states.json"), "utf8")) as Record<string, [string, string][]>;
      const now = readTree(root);
      // A folder with ignored files is kept, so such folders may be left over.
      const folders = new Set([...now].filter(([, what]) => what.startsWith("folder")).map(([path]) => path));
      const fromBefore = differences(new Map(states.before), now, folders);
      const fromAfter = differences(new Map(states.after), now);
      if (fromBefore.length > 0 && fromAfter.length > 0) problem(`half an undo: ${fromBefore.slice(0, 3).join("; ")}`);
    }
    const check = spawnSync("git", ["--git-dir", join(base, "history", "git"), "fsck", "--connectivity-only"]);
    if (check.status !== 0) problem(`the repository is damaged: ${check.stderr}`);
    const changes = await history.changesBetween(lastSeq, await markEverything(history));
    if (!changes) problem("the changes since the start are missing");
    else {
      const done = await history.undo("all", await history.planUndo(changes));
      const kept = new Set("kept" in done ? done.kept : []);
      const left = differences(first, readTree(root), kept);
      if (left.length > 0) problem(`not the same as at the start: ${left.slice(0, 3).join("; ")}`);
    }
    history.close();
  } catch (error) {
    report.problems.push(`seed ${seed}: ${(error as Error).message}`);
  } finally {
    spawnSync("chmod", ["-R", "u+rwX", base]);
    rmSync(base, { recursive: true, force: true });
  }
}

async function killChild(base: string, seed: number, searchPath: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [...nodeArguments(CHILD), base, String(seed), searchPath], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  await sleep(afterMs);
  // The whole process group: its commands would otherwise keep changing files.
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  await ended;
}
