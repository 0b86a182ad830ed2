import { rm, stat } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { deleteDerived } from "./derived-files.ts";
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

/** The recordings to delete, oldest first, so that the rest fits into this many bytes. `kept` ones count, but stay. */
export async function findRecordingsBeyond(
  dir: string,
  { maxBytes, kept }: { maxBytes: number; kept: ReadonlySet<TerminalId> },
): Promise<TerminalId[]> {
  const all = await Promise.all(
    (await listRecordings(dir)).map(async (id) => {
      const { raw, index } = recordingPaths(dir, id);
      const [bytes, about] = await Promise.all([diskUse(raw), diskUse(index)]);
      return { id, bytes: bytes.bytes + about.bytes, changedAt: about.changedAt };
    }),
  );
  let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const beyond: TerminalId[] = [];
  for (const { id, bytes } of all.sort((one, other) => one.changedAt - other.changedAt)) {
    if (total <= maxBytes) break;
    if (kept.has(id)) continue;
    beyond.push(id);
    total -= bytes;
  }
  return beyond;
}

/** The size on disk: a gap occupies none. */
async function diskUse(path: string): Promise<{ bytes: number; changedAt: number }> {
  const found = await stat(path).catch(() => null);
  return found ? { bytes: found.blocks * 512, changedAt: found.mtimeMs } : { bytes: 0, changedAt: 0 };
}

/** The possible files of a recording; not every one has all of them. */
export function recordingFiles(dir: string, terminalId: TerminalId): string[] {
  return Object.values(recordingPaths(dir, terminalId));
}

/** Bytes first: an index without them can still be listed, and deleted again. */
export async function deleteRecording(dir: string, terminalId: TerminalId): Promise<void> {
  const { raw, index, gaps } = recordingPaths(dir, terminalId);
  await deleteDerived(dir, terminalId);
  await rm(raw, { force: true });
  await rm(gaps, { force: true });
  await rm(index, { force: true });
}
