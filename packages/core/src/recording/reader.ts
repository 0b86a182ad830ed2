import { type FileHandle, open, readFile } from "node:fs/promises";
import type { TerminalId } from "@belay/protocol";
import type { OutputSlice } from "../pool/requests.ts";
import { type EndEntry, Gaps, type IndexEntry, type RecordingHeader, recordingPaths } from "./format.ts";
import { findLine, lastLine, readHeader, readLines, readOtherLines } from "./index-file.ts";
import { type Frame, findFrame } from "./replay/frames.ts";

/** Output is read and returned in chunks of at most this size. */
const BLOCK_BYTES = 64 * 1_024;

export type RecordingEvent =
  | { type: "output"; timeMs: number; position: number; bytes: Uint8Array }
  | Exclude<IndexEntry, { type: "output" }>;

export type SeekTo = { timeMs: number } | { position: number };

/** Opens a recording, finished or still being written. Null if there is none that can be read. */
export async function openRecording(dir: string, terminalId: TerminalId): Promise<RecordingReader | null> {
  const paths = recordingPaths(dir, terminalId);
  const index = await openForReading(paths.index);
  const raw = index && (await openForReading(paths.raw));
  const start = index && (await readHeader(index));
  if (index && raw && start)
    return new RecordingReader({ dir, raw, index, gaps: await readGaps(paths.gaps), ...start });
  await index?.close();
  await raw?.close();
  return null;
}

/** Output by position from the recording, including bytes that the ring buffer has dropped. */
export async function readRecorded(
  dir: string,
  terminalId: TerminalId,
  { fromPosition, maxBytes }: { fromPosition: number; maxBytes: number },
): Promise<OutputSlice | null> {
  const paths = recordingPaths(dir, terminalId);
  const raw = await openForReading(paths.raw);
  if (!raw) return null;
  try {
    return await readSlice(raw, await readGaps(paths.gaps), fromPosition, maxBytes);
  } finally {
    await raw.close();
  }
}

/** Reads a recording in chunks, to bound memory. */
export class RecordingReader {
  readonly header: RecordingHeader;
  readonly #dir: string;
  readonly #raw: FileHandle;
  readonly #index: FileHandle;
  readonly #gaps: Gaps;
  readonly #firstLine: number;

  constructor({ dir, raw, index, gaps, header, firstLine }: ReaderParts) {
    this.#dir = dir;
    this.#raw = raw;
    this.#gaps = gaps;
    this.#index = index;
    this.header = header;
    this.#firstLine = firstLine;
  }

  read(fromPosition: number, maxBytes: number): Promise<OutputSlice> {
    return readSlice(this.#raw, this.#gaps, fromPosition, maxBytes);
  }

  /** How it ended; null while it is being written, or when its writer died and it was not recovered yet. */
  async readEnd(): Promise<EndEntry | null> {
    const last = await lastLine(this.#index, this.#firstLine);
    return last?.entry.type === "ended" ? last.entry : null;
  }

  async readDurationMs(): Promise<number> {
    return (await lastLine(this.#index, this.#firstLine))?.entry.timeMs ?? 0;
  }

  /** Everything from a time or a position on, in order. Output starts exactly at the requested position. */
  async *events(from: SeekTo = { position: 0 }): AsyncGenerator<RecordingEvent> {
    const start = await findLine(this.#index, this.#firstLine, reaches(from));
    const firstPosition = "position" in from ? from.position : 0;
    // Most entries are a few bytes, so many of them are read at once.
    let block = await this.read(firstPosition, 0);
    for await (const { entry } of readLines(this.#index, start)) {
      if (entry.type !== "output") {
        yield entry;
        continue;
      }
      let position = Math.max(entry.position, firstPosition);
      while (position < entry.toPosition) {
        if (position < block.fromPosition || position >= block.toPosition)
          block = await this.read(position, BLOCK_BYTES);
        const bytes = block.bytes.subarray(position - block.fromPosition, entry.toPosition - block.fromPosition);
        if (bytes.byteLength === 0) break;
        yield { type: "output", timeMs: entry.timeMs, position, bytes };
        position += bytes.byteLength;
      }
    }
  }

  /** The marks. Reads none of the output. */
  async *marks(): AsyncGenerator<Extract<IndexEntry, { type: "marked" }>> {
    for await (const { entry } of readOtherLines(this.#index, this.#firstLine))
      if (entry.type === "marked") yield entry;
  }

  /** The size of the screen at some point, which is needed to render output from there. */
  async readSize(at: SeekTo): Promise<{ cols: number; rows: number }> {
    let { cols, rows } = this.header;
    const isPast = "timeMs" in at ? (entry: IndexEntry) => entry.timeMs > at.timeMs : reaches(at);
    for await (const { entry } of readOtherLines(this.#index, this.#firstLine)) {
      if (isPast(entry)) break;
      if (entry.type === "resized") ({ cols, rows } = entry);
    }
    return { cols, rows };
  }

  /** The last stored screen before a position; null if there is none. */
  async findFrame(position: number): Promise<Frame | null> {
    const end = await this.readEnd();
    if (!end) return null;
    return findFrame(this.#dir, this.header.terminalId, { position, rawSha256: end.rawSha256 });
  }

  async close(): Promise<void> {
    await Promise.all([this.#raw.close(), this.#index.close()]);
  }
}

interface ReaderParts {
  dir: string;
  raw: FileHandle;
  index: FileHandle;
  gaps: Gaps;
  header: RecordingHeader;
  firstLine: number;
}

function reaches(from: SeekTo): (entry: IndexEntry) => boolean {
  if ("timeMs" in from) return (entry) => entry.timeMs >= from.timeMs;
  return (entry) => ("toPosition" in entry ? entry.toPosition > from.position : entry.position >= from.position);
}

/** What was recorded between two gaps: the slice ends at the next gap; inside a gap, it starts after it. */
async function readSlice(raw: FileHandle, gaps: Gaps, fromPosition: number, maxBytes: number): Promise<OutputSlice> {
  const { size } = await raw.stat();
  const asked = Math.min(Math.max(0, fromPosition), size);
  const from = gaps.find((gap) => gap.from <= asked && asked < gap.to)?.to ?? asked;
  const end = Math.min(size, asked + maxBytes, ...gaps.flatMap((gap) => (gap.from >= from ? [gap.from] : [])));
  const bytes = Buffer.alloc(Math.max(0, end - from));
  const { bytesRead } = await raw.read(bytes, 0, bytes.byteLength, from);
  return {
    fromPosition: from,
    toPosition: from + bytesRead,
    missedBytes: from - asked,
    bytes: bytes.subarray(0, bytesRead),
    endPosition: size,
  };
}

/** Nearly every recording has no gaps, and then the file does not exist. */
async function readGaps(path: string): Promise<Gaps> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw error;
  });
  return Gaps.parse(JSON.parse(text));
}

async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
