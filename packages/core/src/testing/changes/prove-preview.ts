import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change, Entry } from "../../changes/entry.ts";
import { applyPreview } from "../../preview/apply-preview.ts";
import { KeptPreview } from "../../preview/kept-preview.ts";
import { preview } from "../../preview/preview.ts";
import { generateCommand } from "./generate-command.ts";
import type { Failure } from "./prove-undo.ts";
import { Random } from "./random.ts";
import { differences, fillScratchTree, readTree } from "./scratch-tree.ts";

export interface PreviewProof {
  commands: number;
  /** How many of them were applied instead of run. */
  applied: number;
  /** Those that write the time, or the like, into files: two real runs of them differ just so. */
  unsteady: number;
  /** Predicted and real change differ. */
  wrong: Failure[];
  /** The preview itself changed something. */
  touched: Failure[];
}

const PER_WORKSPACE = 10;

/**
 * Previews generated commands in a scratch tree, which must stay as it is to the last time stamp; then runs each for real,
 * or takes the preview over, and the tree must be what was predicted.
 */
export async function provePreview(seed: number, rounds: number, searchPath: string): Promise<PreviewProof> {
  const proof: PreviewProof = { commands: 0, applied: 0, unsteady: 0, wrong: [], touched: [] };
  for (let at = 0; proof.commands < rounds; at += 1) {
    await proveOne(seed + at, Math.min(PER_WORKSPACE, rounds - proof.commands), searchPath, proof);
  }
  return proof;
}

async function proveOne(seed: number, count: number, searchPath: string, proof: PreviewProof): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "belay-prove-"));
  const random = new Random(seed);
  const root = join(base, "work");
  mkdirSync(root);
  fillScratchTree(root, random);
  const env = { PATH: searchPath, HOME: base };
  try {
    for (let at = 0; at < count; at += 1) {
      proof.commands += 1;
      const command = generateCommand(root, random);
      const [before, stampsBefore] = [readTree(root), readStamps(root)];
      const dir = join(base, "previews", String(at));
      const result = await preview({
        program: { type: "line", line: command, kind: "bash", shellPath: "/bin/bash", state: null, env: {} },
        cwd: root,
        env,
        stdin: null,
        roots: [root, tmpdir()],
        ownRoots: [],
        hidden: [join(base, "previews")],
        readable: [],
        missing: [],
        wall: null,
        dir,
        timeoutMs: 20_000,
        maxBytes: 200_000_000,
      });
      const copy = join(base, "copy");
      rmSync(copy, { recursive: true, force: true });
      spawnSync("cp", ["-a", root, copy]);
      const moved = differences(stampsBefore, readStamps(root));
      if (moved.length > 0) proof.touched.push({ seed, command, problems: moved });
      const predicted = predict(before, result.roots[0]?.changes ?? []);
      const kept = KeptPreview.open(dir);
      // Every other one is applied, where it can be.
      const applied = at % 2 === 1 && kept ? await applyPreview(kept) : null;
      if (applied?.status === "applied") proof.applied += 1;
      else spawnSync("bash", ["-c", command], { cwd: root, stdio: "ignore", timeout: 20_000, env });
      const real = readTree(root);
      const wrong = differences(predicted, real);
      if (wrong.length === 0) continue;
      spawnSync("bash", ["-c", command], { cwd: copy, stdio: "ignore", timeout: 20_000, env });
      const again = readTree(copy);
      const paths = [...new Set([...predicted.keys(), ...real.keys()])];
      const differing = paths.filter((path) => predicted.get(path) !== real.get(path));
      if (differing.every((path) => real.get(path) !== again.get(path))) proof.unsteady += 1;
      else proof.wrong.push({ seed, command, problems: [...wrong, result.output.slice(-300)] });
    }
  } finally {
    spawnSync("chmod", ["-R", "u+rwX", base]);
    rmSync(base, { recursive: true, force: true });
  }
}

/** What a tree would be after changes, in the words of `readTree`; what that leaves out is left out here, too. */
function predict(before: Map<string, string>, changes: readonly Change[]): Map<string, string> {
  const tree = new Map(before);
  for (const { path, after } of changes) {
    if (isIgnored(path)) continue;
    if (after?.type === "folder" && path.split("/").at(-1) === "build") continue;
    if (after === null) tree.delete(path);
    else tree.set(path, describe(after));
  }
  return tree;
}

function isIgnored(path: string): boolean {
  const parts = path.split("/");
  return (
    parts.some((part) => part === ".git" || part === "node_modules" || /\.(log|tmp)$/.test(part)) ||
    parts.slice(0, -1).includes("build")
  );
}

function describe(entry: Entry): string {
  const mode = entry.mode.toString(8);
  switch (entry.type) {
    case "folder":
      return `folder ${mode}`;
    case "link":
      return `link ${entry.id}`;
    case "file":
      return `file ${mode} ${entry.size} ${entry.id}`;
    case "other":
      return `${entry.kind} ${mode}`;
  }
}

/** Every name with all that a change of any kind would leave a mark on. */
function readStamps(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: Buffer, path: string) => {
    const stats = lstatSync(folder, { bigint: true });
    found.set(path, `${stats.ino} ${stats.mode} ${stats.uid} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`);
    if (!stats.isDirectory()) return;
    for (const name of readdirSync(folder, { encoding: "buffer" })) {
      visit(Buffer.concat([folder, Buffer.from("/"), name]), `${path}/${name.toString("latin1")}`);
    }
  };
  visit(Buffer.from(root), "");
  return found;
}
