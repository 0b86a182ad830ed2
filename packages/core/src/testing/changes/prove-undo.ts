import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { History } from "../../changes/history.ts";
import { generateCommand } from "./generate-command.ts";
import { Random } from "./random.ts";
import { differences, fillScratchTree, markEverything, readTree, scratchHistory } from "./scratch-tree.ts";

export interface Failure {
  seed: number;
  command: string;
  problems: string[];
}

/** How many commands share a workspace: later ones run on the results of earlier ones. */
const PER_WORKSPACE = 10;

/**
 * Runs generated commands in a scratch tree and undoes each: the tree must be the same as before. Every third is
 * kept, so that the next ones start from a different state, and everything is undone at the end.
 */
export async function proveUndo(
  seed: number,
  rounds: number,
  options: { watches?: boolean; searchPath: string },
): Promise<{ commands: number; failures: Failure[] }> {
  const failures: Failure[] = [];
  let commands = 0;
  for (let at = 0; commands < rounds; at += 1) {
    const own = seed + at;
    commands += await proveOne(own, Math.min(PER_WORKSPACE, rounds - commands), failures, options);
  }
  return { commands, failures };
}

async function proveOne(
  seed: number,
  count: number,
  failures: Failure[],
  { watches, searchPath }: { watches?: boolean; searchPath: string },
): Promise<number> {
  const base = mkdtempSync(join(tmpdir(), "belay-prove-"));
  const random = new Random(seed);
  const root = join(base, "work");
  spawnSync("mkdir", [root]);
  fillScratchTree(root, random);
  const first = readTree(root);
  const history = await History.open({
    ...scratchHistory(base, searchPath),
    ...(watches === undefined ? {} : { watches }),
  });
  const start = history.lastSeq;
  const takeBack = async (fromSeq: number, toSeq: number) => {
    const changes = await history.changesBetween(fromSeq, toSeq);
    if (!changes) throw new Error("The changes are missing.");
    const done = await history.undo(`undo-${toSeq}`, await history.planUndo(changes));
    if ("changed" in done) throw new Error(`${done.changed} changed meanwhile.`);
    // A new folder with ignored files, or with its own repository, is kept, and the undo says so.
    return new Set(done.kept);
  };
  try {
    for (let at = 0; at < count; at += 1) {
      const command = generateCommand(root, random);
      const before = readTree(root);
      const fromSeq = await history.mark();
      spawnSync("bash", ["-c", command], { cwd: root, stdio: "ignore", timeout: 20_000 });
      const toSeq = await markEverything(history);
      if (at % 3 === 2) continue;
      const kept = await takeBack(fromSeq, toSeq);
      const problems = differences(before, readTree(root), kept);
      if (problems.length > 0) failures.push({ seed, command, problems });
      if (problems.length > 0) return at + 1;
    }
    const kept = await takeBack(start, await history.mark());
    const problems = differences(first, readTree(root), kept);
    if (problems.length > 0) failures.push({ seed, command: "(everything since the start)", problems });
    return count;
  } finally {
    history.close();
    spawnSync("chmod", ["-R", "u+rwX", base]);
    rmSync(base, { recursive: true, force: true });
  }
}
