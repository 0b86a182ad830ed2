import { open, rename } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import { deleteDerived } from "./derived-files.ts";
import { encodeEntry, type IndexEntry, type RecordingHeader, recordingPaths } from "./format.ts";
import { hashFiles } from "./hash-files.ts";
import { readHeader, readLines } from "./index-file.ts";

export type RedactionOutcome =
  | { status: "redacted"; bytes: number; rawSha256Before: string }
  | { status: "refused"; reason: "no-recording" | "still-written" | "nothing-there" };

const BLOCK_BYTES = 256 * 1_024;
const SPACE = 0x20;
const REDACTED = "(redacted)";

/**
 * Overwrites the output between two moments with blanks, and the text of commands that were marked there.
 * Positions and times stay, so that everything around it stays in place; the checksums are recomputed.
 * `onFound` is called with what will be erased, before the first byte is.
 */
export async function redactRecording(
  dir: string,
  terminalId: TerminalId,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  onFound: (found: { bytes: number; rawSha256Before: string }) => Promise<void>,
): Promise<RedactionOutcome> {
  const paths = recordingPaths(dir, terminalId);
  const read = await readIndex(paths.index);
  if (!read) return { status: "refused", reason: "no-recording" };
  const { header, entries } = read;
  const end = entries.at(-1);
  if (end?.type !== "ended") return { status: "refused", reason: "still-written" };

  const isInside = ({ timeMs }: IndexEntry) => timeMs >= fromMs && timeMs <= toMs;
  const stretches = entries.flatMap((entry) => (entry.type === "output" && isInside(entry) ? [entry] : []));
  const bytes = stretches.reduce((sum, { position, toPosition }) => sum + toPosition - position, 0);
  const hasMarks = entries.some((entry) => entry.type === "marked" && isInside(entry));
  if (bytes === 0 && !hasMarks) return { status: "refused", reason: "nothing-there" };

  await onFound({ bytes, rawSha256Before: end.rawSha256 });
  await deleteDerived(dir, terminalId);
  await blank(paths.raw, stretches);
  const kept = entries.slice(0, -1).map((entry) => (isInside(entry) ? withoutWords(entry) : entry));
  await writeIndex(paths, header, kept, end);
  // Again: one may have been rebuilt from the old bytes meanwhile.
  await deleteDerived(dir, terminalId);
  return { status: "redacted", bytes, rawSha256Before: end.rawSha256 };
}

async function readIndex(path: string): Promise<{ header: RecordingHeader; entries: IndexEntry[] } | null> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!file) return null;
  try {
    const start = await readHeader(file);
    if (!start) return null;
    const entries: IndexEntry[] = [];
    for await (const { entry } of readLines(file, start.firstLine)) entries.push(entry);
    return { header: start.header, entries };
  } finally {
    await file.close();
  }
}

/** Line ends stay, so that the lines around it keep their place on the screen. */
async function blank(path: string, stretches: readonly { position: number; toPosition: number }[]): Promise<void> {
  const file = await open(path, "r+");
  try {
    for (const { position, toPosition } of stretches) {
      for (let at = position; at < toPosition; at += BLOCK_BYTES) {
        const block = Buffer.alloc(Math.min(BLOCK_BYTES, toPosition - at));
        const { bytesRead } = await file.read(block, 0, block.byteLength, at);
        const blanked = block.subarray(0, bytesRead).map((byte) => (byte === 0x0a || byte === 0x0d ? byte : SPACE));
        await file.write(blanked, 0, blanked.byteLength, at);
      }
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

function withoutWords(entry: IndexEntry): IndexEntry {
  if (entry.type !== "marked") return entry;
  const { mark } = entry;
  if (mark.kind === "commandStarted") return { ...entry, mark: { ...mark, line: REDACTED } };
  return mark.kind === "note" ? { ...entry, mark: { ...mark, text: REDACTED } } : entry;
}

/** Renamed into place: a crash leaves the old index or the new one. */
async function writeIndex(
  paths: { raw: string; index: string; gaps: string },
  header: RecordingHeader,
  entries: readonly IndexEntry[],
  end: Extract<IndexEntry, { type: "ended" }>,
): Promise<void> {
  const fresh = `${paths.index}.new`;
  const file = await open(fresh, "w", 0o600);
  try {
    await file.write(`${JSON.stringify(header)}\n${entries.map(encodeEntry).join("")}`);
    const { rawSha256, indexSha256 } = await hashFiles({ ...paths, index: fresh });
    await file.write(encodeEntry({ ...end, rawSha256, indexSha256 }));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, paths.index);
}
