import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { resumeApplies } from "../../preview/apply-preview.ts";
import { KeptPreview } from "../../preview/kept-preview.ts";
import { preview } from "../../preview/preview.ts";
import type { CrashReport } from "./prove-crashes.ts";
import { Random } from "./random.ts";
import { differences, fillScratchTree, readTree } from "./scratch-tree.ts";

/** A change of many files, so that a kill finds it in the middle. */
const FILES = 600;
const LINE = `rm -r many; mkdir -p made; for at in {1..${FILES}}; do echo $at > made/$at; done; for f in */*.txt; do echo more >> "$f"; done`;
const LONGEST_MS = 120;

/** Kills a process while it applies a preview, at random moments; the next start has to find all of it, or none. */
export async function proveApplyCrashes(seed: number, rounds: number, searchPath: string): Promise<CrashReport> {
  const report: CrashReport = { kills: 0, inUndo: 0, problems: [] };
  for (let round = 0; round < rounds; round += 1) await crashOnce(seed + round, searchPath, report);
  return report;
}

async function crashOnce(seed: number, searchPath: string, report: CrashReport): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "belay-crash-"));
  const [root, reference, previews] = [join(base, "work"), join(base, "reference"), join(base, "previews")];
  const random = new Random(seed);
  try {
    mkdirSync(join(root, "many"), { recursive: true });
    fillScratchTree(root, random);
    for (let at = 0; at < FILES; at += 1) writeFileSync(join(root, "many", String(at)), `${at}\n`);
    const before = readTree(root);
    spawnSync("cp", ["-a", root, reference]);
    spawnSync("bash", ["-c", LINE], { cwd: reference });
    const after = readTree(reference);
    const dir = join(previews, "one");
    await preview({
      program: { type: "line", line: LINE, kind: "bash", shellPath: "/bin/bash", state: "at=1 f=\n", env: {} },
      cwd: root,
      env: { PATH: searchPath },
      stdin: null,
      roots: [root],
      ownRoots: [],
      hidden: [],
      readable: [],
      missing: [],
      wall: null,
      dir,
      timeoutMs: 20_000,
      maxBytes: 50_000_000,
    });
    const kept = KeptPreview.open(dir);
    // Loops leave their variable in the shell; that is not what is tried here.
    kept?.write({ ...kept.read(), obstacles: [] });
    await killInApply(dir, random.below(LONGEST_MS));
    report.kills += 1;
    const isCutOff = existsSync(join(dir, "applying.json"));
    if (isCutOff) report.inUndo += 1;

    await resumeApplies(previews);
    const now = readTree(root);
    const [fromBefore, fromAfter] = [differences(before, now), differences(after, now)];
    if (fromAfter.length > 0 && (isCutOff || fromBefore.length > 0)) {
      report.problems.push(`seed ${seed}: half of it was taken over: ${fromAfter.slice(0, 3).join("; ")}`);
    }
    if (readdirSync(dir).includes("applying.json")) report.problems.push(`seed ${seed}: it is still to be ended`);
  } catch (error) {
    report.problems.push(`seed ${seed}: ${(error as Error).message}`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function killInApply(dir: string, afterMs: number): Promise<void> {
  const tsx = createRequire(import.meta.url).resolve("tsx");
  const modules = ["apply-preview", "kept-preview"].map((name) =>
    JSON.stringify(new URL(`../../preview/${name}.ts`, import.meta.url).href),
  );
  const script = `const { applyPreview } = await import(${modules[0]}); const { KeptPreview } = await import(${modules[1]});
process.stdout.write("ready\\n"); await applyPreview(KeptPreview.open(${JSON.stringify(dir)}));`;
  const child = spawn(process.execPath, ["--import", tsx, "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  await sleep(afterMs);
  child.kill("SIGKILL");
  await ended;
}
