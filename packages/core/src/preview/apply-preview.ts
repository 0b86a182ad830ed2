import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Change, displayPath, type Entry, nameOf, parentOf } from "../changes/entry.ts";
import { FolderHandle } from "../changes/scan/folder-handle.ts";
import { applySteps } from "../changes/undo/apply-steps.ts";
import { IntentFile } from "../changes/undo/intent-file.ts";
import { KeptPreview } from "./kept-preview.ts";
import type { PreviewResult } from "./preview.ts";

export type ApplyResult =
  | { status: "applied"; result: PreviewResult }
  /** The real folders have changed since the preview; nothing was touched. */
  | { status: "changed"; paths: string[] }
  /** The changes cannot be applied as they are. */
  | { status: "not-applicable"; obstacles: string[] };

const INTENT_FILE = "applying.json";
const MOST_NAMED = 5;

/**
 * Applies the changes that a preview found, and nothing else.
 *
 * 1. Every path to change must be as the preview saw it, including the time of its last change.
 * 2. The plan is written to disk. If Belay crashes after this, `resumeApplies` completes it.
 * 3. The changes are made.
 *
 * A dry run stops after the first step.
 */
export async function applyPreview(kept: KeptPreview, { isDry = false } = {}): Promise<ApplyResult> {
  const result = kept.read();
  if (result.obstacles.length > 0) return { status: "not-applicable", obstacles: result.obstacles };
  const changed = result.roots.flatMap(({ root, changes }) => findChanged(root, changes));
  if (changed.length > 0) return { status: "changed", paths: changed.slice(0, MOST_NAMED) };
  if (isDry) return { status: "applied", result };
  const intent = new IntentFile(join(kept.dir, INTENT_FILE));
  intent.write({ id: kept.dir, steps: [] });
  await carryOut(kept, result);
  intent.drop();
  return { status: "applied", result };
}

/** Completes applies that a crash interrupted. Returns the folders of those previews. */
export async function resumeApplies(previewsDir: string): Promise<string[]> {
  const resumed: string[] = [];
  for (const name of namesIn(previewsDir)) {
    const dir = join(previewsDir, name);
    const kept = existsSync(join(dir, INTENT_FILE)) ? KeptPreview.open(dir) : null;
    if (!kept) continue;
    await carryOut(kept, kept.read());
    new IntentFile(join(dir, INTENT_FILE)).drop();
    resumed.push(dir);
  }
  return resumed;
}

async function carryOut(kept: KeptPreview, { roots }: PreviewResult): Promise<void> {
  for (const { root, changes } of roots) {
    const steps = changes.map(({ path, after }) => ({ path, to: after }));
    await applySteps(Buffer.from(root), steps, async (id) => {
      const bytes = await kept.readBlob(id);
      if (!bytes) throw new Error(`The content ${id} is not kept.`);
      return bytes;
    });
  }
}

/** Paths that are not as the preview saw them. A folder to be deleted must hold nothing but what is deleted with it. */
function findChanged(root: string, changes: readonly Change[]): string[] {
  const going = new Set(changes.filter(({ after }) => after === null).map(({ path }) => path));
  return changes
    .filter(({ path, before, after }) => {
      const now = statIn(root, path);
      if (before === null) return now !== null;
      if (now === null || !isAsSeen(now, before)) return true;
      return before.type === "folder" && after?.type !== "folder" && holdsMore(root, path, going);
    })
    .map(({ path }) => join(root, displayPath(path)));
}

function isAsSeen(now: NonNullable<ReturnType<typeof statIn>>, before: Entry): boolean {
  if ((now.mode & 0o7777) !== before.mode || now.ino !== before.inode) return false;
  if (before.type === "folder") return now.isDirectory();
  return Math.abs(now.ctimeMs - before.ctimeMs) < 0.001 && Math.abs(now.mtimeMs - before.mtimeMs) < 0.001;
}

function holdsMore(root: string, path: string, going: ReadonlySet<string>): boolean {
  const folder = FolderHandle.open(Buffer.from(root), path);
  try {
    const names = readdirSync(folder.self(), { encoding: "buffer" }).map((name) => name.toString("latin1"));
    return names.some((name) => !going.has(`${path}/${name}`));
  } finally {
    folder.close();
  }
}

function statIn(root: string, path: string) {
  try {
    const folder = FolderHandle.open(Buffer.from(root), parentOf(path));
    try {
      return lstatSync(folder.at(nameOf(path)));
    } finally {
      folder.close();
    }
  } catch {
    return null; // it, or its folder, does not exist
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there has been no preview yet
  }
}
