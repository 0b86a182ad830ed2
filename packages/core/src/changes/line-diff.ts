import { diffLines, structuredPatch } from "diff";
import { type Change, displayPath, type Entry } from "./entry.ts";
import { isBinary } from "./undo/undo-plan.ts";

/** Larger files are not compared; only their sizes are shown. */
const MAX_TEXT_BYTES = 400_000;
const MAX_EDITS = 4_000;
const TIMEOUT_MS = 500;
/** Lines of context around a change, as in git. */
const CONTEXT = 3;

/** The counts for a one-line summary of a command's changes. */
export interface ChangeCounts {
  created: number;
  changed: number;
  deleted: number;
  addedLines: number;
  removedLines: number;
}

export type ChangeKind = "created" | "changed" | "deleted";

/** One changed path, for people. */
export interface ChangedPath {
  path: string;
  kind: ChangeKind;
  /** Its type after the change, or before it if the path is gone. */
  type: Entry["type"];
  addedLines: number | null;
  removedLines: number | null;
  sizeBefore: number | null;
  sizeAfter: number | null;
  modeBefore: number | null;
  modeAfter: number | null;
  /** There is no diff, because the content is binary, too large, or not kept. */
  isOpaque: boolean;
}

export interface Hunk {
  oldStart: number;
  newStart: number;
  /** Each starts with a space, a plus or a minus. */
  lines: string[];
}

type ReadBlob = (id: string) => Promise<Buffer | null>;

export async function describeChange(change: Change, readBlob: ReadBlob): Promise<ChangedPath> {
  const { path, before, after } = change;
  const lines = await countLines(change, readBlob);
  return {
    path: displayPath(path),
    kind: before === null ? "created" : after === null ? "deleted" : "changed",
    type: (after ?? before)?.type ?? "other",
    addedLines: lines?.added ?? null,
    removedLines: lines?.removed ?? null,
    sizeBefore: sizeOf(before),
    sizeAfter: sizeOf(after),
    modeBefore: before?.mode ?? null,
    modeAfter: after?.mode ?? null,
    isOpaque: lines === null,
  };
}

/** Folders themselves are not counted, only their contents. */
export function countChanges(paths: readonly ChangedPath[]): ChangeCounts {
  const counts: ChangeCounts = { created: 0, changed: 0, deleted: 0, addedLines: 0, removedLines: 0 };
  for (const { kind, type, addedLines, removedLines } of paths) {
    if (type !== "folder") counts[kind] += 1;
    counts.addedLines += addedLines ?? 0;
    counts.removedLines += removedLines ?? 0;
  }
  return counts;
}

/** The changed lines with context; null if it is not text. */
export async function diffChange(change: Change, readBlob: ReadBlob): Promise<Hunk[] | null> {
  const texts = await textsOf(change, readBlob);
  if (!texts) return null;
  const patch = structuredPatch("", "", texts.before, texts.after, "", "", {
    context: CONTEXT,
    timeout: TIMEOUT_MS,
    maxEditLength: MAX_EDITS,
  });
  return patch?.hunks.map(({ oldStart, newStart, lines }) => ({ oldStart, newStart, lines })) ?? null;
}

async function countLines(change: Change, readBlob: ReadBlob): Promise<{ added: number; removed: number } | null> {
  if ((change.after ?? change.before)?.type === "folder") return { added: 0, removed: 0 };
  const texts = await textsOf(change, readBlob);
  if (!texts) return null;
  if (change.before?.type !== "file") return { added: lineCount(texts.after), removed: 0 };
  if (change.after?.type !== "file") return { added: 0, removed: lineCount(texts.before) };
  const parts = diffLines(texts.before, texts.after, { timeout: TIMEOUT_MS, maxEditLength: MAX_EDITS });
  if (!parts) return null;
  let [added, removed] = [0, 0];
  for (const part of parts) {
    if (part.added) added += part.count;
    else if (part.removed) removed += part.count;
  }
  return { added, removed };
}

async function textsOf({ before, after }: Change, readBlob: ReadBlob) {
  const [old, fresh] = [await textOf(before, readBlob), await textOf(after, readBlob)];
  return old === null || fresh === null ? null : { before: old, after: fresh };
}

async function textOf(entry: Entry | null, readBlob: ReadBlob): Promise<string | null> {
  if (entry === null || entry.type === "folder") return "";
  if (entry.type === "other" || entry.id === null) return null;
  if (entry.type === "file" && entry.size > MAX_TEXT_BYTES) return null;
  const bytes = await readBlob(entry.id);
  return bytes === null || isBinary(bytes) ? null : bytes.toString("utf8");
}

function sizeOf(entry: Entry | null): number | null {
  return entry?.type === "file" ? entry.size : null;
}

function lineCount(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
