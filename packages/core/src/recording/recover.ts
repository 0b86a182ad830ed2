import { appendFile, open, readdir, stat, truncate } from "node:fs/promises";
import { TerminalId } from "@belay/protocol";
import { encodeEntry, type IndexEntry, recordingPaths } from "./format.ts";
import { hashFiles } from "./hash-files.ts";
import { type IndexLine, readHeader, readLines } from "./index-file.ts";
import { openRecording } from "./reader.ts";

const INDEX_SUFFIX = ".index";

/** The terminals that have a recording here. */
export async function listRecordings(dir: string): Promise<TerminalId[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(INDEX_SUFFIX))
    .flatMap((name) => TerminalId.safeParse(name.slice(0, -INDEX_SUFFIX.length)).data ?? [])
    .sort();
}

/**
 * Closes a recording whose writer died. No other process may be writing it.
 *
 * 1. A partial last line of the index is removed.
 * 2. Bytes that were written but not indexed get the time of the last entry.
 * 3. The end is added, with checksums.
 */
export async function recoverRecording(
  dir: string,
  terminalId: TerminalId,
): Promise<"recovered" | "intact" | "unreadable"> {
  const paths = recordingPaths(dir, terminalId);
  const recording = await openRecording(dir, terminalId);
  if (!recording) return "unreadable";
  const end = await recording.readEnd();
  await recording.close();
  if (end) return "intact";

  const { last, wholeBytes } = await lastWhole(paths.index);
  await truncate(paths.index, wholeBytes);
  const indexed = last === null ? 0 : "toPosition" in last ? last.toPosition : last.position;
  const timeMs = last?.timeMs ?? 0;
  const { size } = await stat(paths.raw);
  // A power failure may lose bytes whose index line survived; the end then says how many there really are.
  if (size > indexed) {
    await appendFile(paths.index, encodeEntry({ type: "output", timeMs, position: indexed, toPosition: size }));
  }
  const { rawSha256, indexSha256 } = await hashFiles(paths);
  await appendFile(
    paths.index,
    encodeEntry({ type: "ended", timeMs, position: size, exitCode: null, isRecovered: true, rawSha256, indexSha256 }),
  );
  return "recovered";
}

export type RecordingCheck = { isIntact: true } | { isIntact: false; reason: "unreadable" | "not-ended" | "changed" };

/** Compares both files with the checksums at the end. */
export async function verifyRecording(dir: string, terminalId: TerminalId): Promise<RecordingCheck> {
  const recording = await openRecording(dir, terminalId);
  if (!recording) return { isIntact: false, reason: "unreadable" };
  const end = await recording.readEnd();
  await recording.close();
  if (!end) return { isIntact: false, reason: "not-ended" };

  const paths = recordingPaths(dir, terminalId);
  const endBytes = Buffer.byteLength(encodeEntry(end));
  const { size } = await stat(paths.index);
  const found = await hashFiles(paths, size - endBytes);
  const isSame = found.rawSha256 === end.rawSha256 && found.indexSha256 === end.indexSha256;
  return isSame ? { isIntact: true } : { isIntact: false, reason: "changed" };
}

async function lastWhole(indexPath: string): Promise<{ last: IndexEntry | null; wholeBytes: number }> {
  const file = await open(indexPath, "r");
  try {
    const firstLine = (await readHeader(file))?.firstLine ?? 0;
    let last: IndexLine | null = null;
    for await (const line of readLines(file, firstLine)) last = line;
    return { last: last?.entry ?? null, wholeBytes: last?.end ?? firstLine };
  } finally {
    await file.close();
  }
}
