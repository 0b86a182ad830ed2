import { type Change, type Entry, isSameEntry, isSameSpecialFile, type OtherEntry } from "../entry.ts";

/** What undo does with one path. */
export interface UndoStep {
  path: string;
  action: /** It goes back to what it was. */
    | "restore"
    /** Its later changes and the undo can be merged. */
    | "merge"
    /** It has changed since, and the two conflict: a person has to choose. */
    | "conflict"
    /** Its earlier content is not kept. */
    | "impossible"
    /** It already has its earlier state. */
    | "nothing";
  /** The current entry. */
  now: Entry | null;
  /** The entry after the undo. */
  target: Entry | null;
  reason: string | null;
}

export interface PlanDeps {
  lookAt: (path: string) => { entry: Entry; bytes: Buffer | null } | null;
  readBlob: (id: string) => Promise<Buffer | null>;
  /** Merges text; null if the changes conflict. */
  merge: (current: Buffer, base: Buffer, other: Buffer) => Promise<Buffer | null>;
  /** Stores merged content and returns its id. */
  keep: (bytes: Buffer) => Promise<string>;
}

/** How each changed path can be undone, given the current files. Does not touch the workspace. */
export async function planUndo(changes: readonly Change[], deps: PlanDeps): Promise<UndoStep[]> {
  const steps: UndoStep[] = [];
  for (const change of changes) steps.push(await planStep(change, deps));
  return steps;
}

async function planStep({ path, before, after }: Change, deps: PlanDeps): Promise<UndoStep> {
  const found = deps.lookAt(path);
  const now = found?.entry ?? null;
  const step = (action: UndoStep["action"], target: Entry | null, reason: string | null = null): UndoStep => ({
    path,
    action,
    now,
    target,
    reason,
  });
  if (isSameEntry(now, before)) return step("nothing", before);
  const missing = await whyMissing(before, now, deps);
  if (missing !== null) return step("impossible", before, missing);
  if (isSameEntry(now, after)) return step("restore", before);
  if (now?.type === "folder" && (before === null || before.type === "folder")) return step("restore", before);
  const merged = await mergeFile({ before, after, now, bytes: found?.bytes ?? null }, deps);
  // An earlier undo has merged it already: there is nothing left of the change.
  if (merged) return isSameEntry(merged, now) ? step("nothing", now) : step("merge", merged);
  return step("conflict", before, describeConflict(before, now));
}

function describeConflict(before: Entry | null, now: Entry | null): string {
  if (now === null) return "It has been removed since.";
  return before === null ? "It has been changed since it was created." : "The same part has been changed since.";
}

async function whyMissing(before: Entry | null, now: Entry | null, { readBlob }: PlanDeps): Promise<string | null> {
  if (before === null || before.type === "folder") return null;
  if (before.type === "other") return whyNotMade(before, now);
  if (before.id === null) {
    const isLarge = before.type === "file" && before.leftOut === "too-large";
    return isLarge ? "It was larger than undo.maxFileBytes, so its content was not kept." : "It could not be read.";
  }
  return (await readBlob(before.id)) === null ? "Its earlier content is too old, and no longer kept." : null;
}

function whyNotMade(before: OtherEntry, now: Entry | null): string | null {
  // It is still there, so only its mode has to change.
  if (now?.type === "other" && isSameSpecialFile(now, before)) return null;
  switch (before.kind) {
    case "pipe":
      return null;
    case "socket":
      return "It was a socket, which only the program that listens on it can make.";
    case "device":
      return "It was a device, which Belay does not make.";
    case undefined:
      return "It was a pipe, a socket or a device, and it is not known which.";
  }
}

/**
 * Merges later changes with the undo (a three-way merge): the base is what the command left, and the two sides are the
 * current content and the content before the command.
 */
async function mergeFile(
  { before, after, now, bytes }: { before: Entry | null; after: Entry | null; now: Entry | null; bytes: Buffer | null },
  { readBlob, merge, keep }: PlanDeps,
): Promise<Entry | null> {
  if (before?.type !== "file" || after?.type !== "file" || now?.type !== "file") return null;
  if (before.id === null || after.id === null || bytes === null) return null;
  // The mode is merged in the same way; null if the two changes of it conflict.
  const mode = before.mode === after.mode ? now.mode : now.mode === after.mode ? before.mode : null;
  if (mode === null) return null;
  if (now.id === after.id) return { ...before, mode };
  if (before.id === after.id) return { ...now, mode };
  const [base, other] = [await readBlob(after.id), await readBlob(before.id)];
  if (!base || !other || [base, other, bytes].some(isBinary)) return null;
  const merged = await merge(bytes, base, other);
  if (merged === null) return null;
  return { ...now, mode, id: await keep(merged), size: merged.byteLength, mtimeMs: Date.now() };
}

/** Git's heuristic: a zero byte near the beginning. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}
