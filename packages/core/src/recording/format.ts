import { join } from "node:path";
import { TerminalId, TerminalOwner } from "@belay/protocol";
import { z } from "zod";

/**
 * A recording is two append-only files:
 *
 * - `ID.raw`: every byte that the terminal printed, so that a position is an offset. While
 *   the disk was full, there is a hole of the missing length.
 * - `ID.index`: a header and then a line per event, ordered by time and by
 *   position, so that it can be searched without loading it.
 *
 * It contains no input, only what a terminal showed: a password at
 * a hidden prompt cannot get into it.
 */
export interface RecordingPaths {
  raw: string;
  index: string;
  /** Can be rebuilt: which text the recording may contain, for searching, and its screens, for seeking. */
  grams: string;
  frames: string;
  /** Only exists if something is missing: the gaps in the index, so that they are found without reading all of it. */
  gaps: string;
}

export function recordingPaths(dir: string, terminalId: TerminalId): RecordingPaths {
  const base = join(dir, terminalId);
  return {
    raw: `${base}.raw`,
    index: `${base}.index`,
    gaps: `${base}.gaps`,
    grams: `${base}.grams`,
    frames: `${base}.frames`,
  };
}

/** Limits a line of the index to the size of a block that is read at once. */
export const MAX_MARK_CHARS = 1_000;
export const MAX_INDEX_LINE_BYTES = 16 * 1_024;

export const RecordingHeader = z.object({
  version: z.literal(1),
  terminalId: TerminalId,
  /** Milliseconds since 1970; all other times count from here. */
  startedAt: z.int(),
  cols: z.int(),
  rows: z.int(),
  title: z.string().max(MAX_MARK_CHARS),
});
export type RecordingHeader = z.infer<typeof RecordingHeader>;

/** A place in a recording to jump to. */
export const RecordingMark = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("commandStarted"), commandId: z.string(), line: z.string() }),
  z.object({ kind: z.literal("commandFinished"), commandId: z.string(), exitCode: z.int().nullable() }),
  z.object({ kind: z.literal("ownerChanged"), to: TerminalOwner }),
  // The same in recordings of earlier versions.
  z
    .object({ kind: z.literal("penMoved"), to: TerminalOwner })
    .transform(({ to }): { kind: "ownerChanged"; to: TerminalOwner } => ({ kind: "ownerChanged", to })),
  z.object({ kind: z.literal("note"), text: z.string() }),
]);
export type RecordingMark = z.infer<typeof RecordingMark>;

const at = { timeMs: z.number(), position: z.int() };

/** `position` is where it happened: after that many bytes of output. */
export const IndexEntry = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), ...at, toPosition: z.int() }),
  /** The disk was full for the output up to `toPosition`. */
  z.object({ type: z.literal("gap"), ...at, toPosition: z.int() }),
  z.object({ type: z.literal("resized"), ...at, cols: z.int(), rows: z.int() }),
  z.object({ type: z.literal("marked"), ...at, mark: RecordingMark }),
  z.object({
    type: z.literal("ended"),
    ...at,
    exitCode: z.int().nullable(),
    /** Its writer died; this line was added when that was detected. */
    isRecovered: z.boolean(),
    rawSha256: z.string(),
    /** The hash of the index before this line. */
    indexSha256: z.string(),
  }),
]);
export type IndexEntry = z.infer<typeof IndexEntry>;
/** A range of missing bytes. */
export const Gaps = z.array(z.object({ from: z.int(), to: z.int() }));
export type Gaps = z.infer<typeof Gaps>;
export type EndEntry = Extract<IndexEntry, { type: "ended" }>;

/** Output is by far the most frequent, so it has a short form: `[timeMs, from, to]`. */
export function encodeEntry(entry: IndexEntry): string {
  return entry.type === "output"
    ? `[${entry.timeMs},${entry.position},${entry.toPosition}]\n`
    : `${JSON.stringify(entry)}\n`;
}

const ShortOutput = z.tuple([z.number(), z.int(), z.int()]);

/** Null for an invalid line, such as one that a crash truncated. */
export function parseEntry(line: string): IndexEntry | null {
  const value = parseJson(line);
  if (Array.isArray(value)) {
    const short = ShortOutput.safeParse(value);
    if (!short.success) return null;
    const [timeMs, position, toPosition] = short.data;
    return { type: "output", timeMs, position, toPosition };
  }
  return IndexEntry.safeParse(value).data ?? null;
}

export function parseHeader(line: string): RecordingHeader | null {
  return RecordingHeader.safeParse(parseJson(line)).data ?? null;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not an error: the last line of a recording may be truncated.
    return null;
  }
}

/** The notice for missing bytes. */
export function missing({ position, toPosition }: { position: number; toPosition: number }): string {
  return `${(toPosition - position).toLocaleString("en-US")} bytes are missing here: the disk was full`;
}
