import { rm, stat } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { recordingPaths } from "./format.ts";
import { listRecordings } from "./recover.ts";

/** The recordings that have not grown since `changedBefore` (milliseconds since 1970). */
export async function findOldRecordings(dir: string, changedBefore: number): Promise<TerminalId[]> {
  const old: TerminalId[] = [];
  for (const id of await listRecordings(dir)) {
    const { mtimeMs } = await stat(recordingPaths(dir, id).index);
    if (mtimeMs < changedBefore) old.push(id);
  }
  return old;
}

/** The files that a recording may have; not every one has all of them. */
export function recordingFiles(dir: string, terminalId: TerminalId): string[] {
  return Object.values(recordingPaths(dir, terminalId));
}

/** Bytes first: an index without them can still be listed, and deleted again. */
export async function deleteRecording(dir: string, terminalId: TerminalId): Promise<void> {
  const { raw, index, gaps } = recordingPaths(dir, terminalId);
  await rm(raw, { force: true });
  await rm(gaps, { force: true });
  await rm(index, { force: true });
}
