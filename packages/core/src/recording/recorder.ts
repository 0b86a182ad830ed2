import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rm, writeFile } from "node:fs/promises";
import { keep, letGo } from "../output/slabs.ts";
import {
  encodeEntry,
  type Gaps,
  type IndexEntry,
  MAX_MARK_CHARS,
  type RecordingHeader,
  type RecordingMark,
  type RecordingPaths,
  recordingPaths,
} from "./format.ts";
import { hashFiles } from "./hash-files.ts";
import { markOpen, unmarkOpen } from "./open-recordings.ts";
import { writeFully } from "./write-fully.ts";

/** Output within this time is combined into one entry. */
const SAME_FRAME_MS = 8;
/** How long to batch before writing, unless this much is pending: a quick command is one write. */
const GATHER_MS = 10;
const FLUSH_AT_BYTES = 1_024 * 1_024;
/** The same in a flood (after a write of this size): few large writes disturb others less than many small ones. */
const FLOOD_GATHER_MS = 40;
const FLOOD_BYTES = 64 * 1_024;
/** Above this, `append` asks its caller to wait for the disk. */
const MAX_PENDING_BYTES = 2 * 1_024 * 1_024;
/** The delay before retrying a failed write; doubled with each failure. */
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** The most marks kept until the disk works again. */
const MAX_KEPT_ENTRIES = 1_000;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface RecorderOptions {
  dir: string;
  header: Omit<RecordingHeader, "version">;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Output above this many bytes is not recorded; null: no limit. */
  maxBytes?: number | null;
  /** The disk fails. Output is lost until `onResumed`. */
  onFailed?: (error: Error) => void;
  onResumed?: (gap: { missedBytes: number }) => void;
}

export async function openRecorder({ dir, header, ...options }: RecorderOptions): Promise<Recorder> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // First: a mark without a recording is skipped, but a recording without a mark would never be closed.
  await markOpen(dir, header.terminalId);
  const paths = recordingPaths(dir, header.terminalId);
  const raw = await open(paths.raw, CREATE_NEW, 0o600);
  try {
    const index = await open(paths.index, CREATE_NEW, 0o600);
    return new Recorder({
      ...options,
      dir,
      paths,
      raw,
      index,
      header: { version: 1, ...header, title: shorten(header.title) },
    });
  } catch (error) {
    await raw.close();
    // Otherwise a retry would find that it already exists.
    await rm(paths.raw, { force: true });
    throw error;
  }
}

/**
 * Writes a recording as it happens.
 *
 * Output that arrives within a moment, or while the disk is busy, is written
 * together, so a flood costs few writes and a keystroke is not delayed. Bytes are always written
 * before their index line: after a crash the index may know
 * too little, never too much.
 *
 * A failing disk is retried. Output meanwhile is lost, since the program
 * is not held back and memory is finite; an entry says how much, and positions stay correct.
 */
export class Recorder {
  readonly #dir: string;
  readonly #terminalId: RecordingHeader["terminalId"];
  readonly #paths: RecordingPaths;
  readonly #raw: FileHandle;
  readonly #index: FileHandle;
  readonly #startedAt: number;
  readonly #now: () => number;
  readonly #onFailed: (error: Error) => void;
  readonly #onResumed: (gap: { missedBytes: number }) => void;
  readonly #rawHash = createHash("sha256");
  readonly #indexHash = createHash("sha256");
  readonly #gaps: Gaps = [];
  #position = 0;
  #lastTimeMs = 0;
  #chunks: Uint8Array[] = [];
  #entries: IndexEntry[] = [];
  #pendingBytes = 0;
  #header: string;
  /** How much of either file is certainly written. */
  #rawEnd = 0;
  #indexEnd = 0;
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();
  #lastWriteBytes = 0;
  #gather: NodeJS.Timeout | null = null;
  /** Since when the disk has been failing, and the timer for the next retry. */
  #failure: { timeMs: number; retry: NodeJS.Timeout } | null = null;
  #lastRetryMs = 0;
  /** A write to the index failed, possibly partially. */
  #mayHaveHalfLine = false;
  readonly #maxBytes: number;
  /** From which position on output is left out, because of the size limit. */
  #leftOutFrom: number | null = null;
  #isClosed = false;

  constructor({ dir, paths, raw, index, header, now, maxBytes, onFailed, onResumed }: RecorderParts) {
    this.#maxBytes = maxBytes ?? Number.POSITIVE_INFINITY;
    this.#dir = dir;
    this.#terminalId = header.terminalId;
    this.#paths = paths;
    this.#raw = raw;
    this.#index = index;
    this.#startedAt = header.startedAt;
    this.#now = now;
    this.#onFailed = onFailed ?? (() => {});
    this.#onResumed = onResumed ?? (() => {});
    this.#header = `${JSON.stringify(header)}\n`;
    this.#write();
  }

  /** Resolves at once, or when the disk has caught up if too much is pending. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || bytes.byteLength === 0) return;
    const from = this.#position;
    this.#position += bytes.byteLength;
    if (this.#position > this.#maxBytes) this.#leftOutFrom ??= from;
    if (this.#failure || this.#leftOutFrom !== null) return;
    const timeMs = this.#time();
    this.#chunks.push(keep(bytes));
    this.#pendingBytes += bytes.byteLength;

    const last = this.#entries.at(-1);
    if (last?.type === "output" && timeMs - last.timeMs < SAME_FRAME_MS) last.toPosition = this.#position;
    else this.#entries.push({ type: "output", timeMs, position: from, toPosition: this.#position });

    this.#pump();
    if (this.#pendingBytes > MAX_PENDING_BYTES) await this.#written;
  }

  /** Skips output that came before there was a file to write it to. */
  skip(byteLength: number): void {
    if (byteLength === 0) return;
    this.#add({ type: "gap", timeMs: this.#time(), position: this.#position, toPosition: this.#position + byteLength });
    this.#position += byteLength;
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    this.#add({ type: "resized", timeMs: this.#time(), position: this.#position, cols, rows });
  }

  mark(mark: RecordingMark): void {
    this.#add({ type: "marked", timeMs: this.#time(), position: this.#position, mark: shortenMark(mark) });
  }

  /** Writes the rest and the checksums. Idempotent. */
  async close({ exitCode }: { exitCode: number | null }): Promise<void> {
    if (this.#isClosed) return;
    const timeMs = this.#time();
    this.#addLeftOut();
    this.#isClosed = true;
    try {
      // The last chance to record what is missing. Otherwise the recording is closed when the next host starts.
      if (this.#failure) this.#tryAgain();
      else if (this.#gather) this.#write();
      await this.#written;
      if (this.#failure) return;
      await this.#index.write(encodeEntry(await this.#endEntry(timeMs, exitCode)), this.#indexEnd);
      await Promise.all([this.#raw.datasync(), this.#index.datasync()]);
      await unmarkOpen(this.#dir, this.#terminalId);
    } catch (error) {
      this.#onFailed(error as Error);
    } finally {
      if (this.#failure) clearTimeout(this.#failure.retry);
      await Promise.allSettled([this.#raw.close(), this.#index.close()]);
    }
  }

  /** A hole reads as zeros, so the checksum is computed from the file itself. */
  async #endEntry(timeMs: number, exitCode: number | null): Promise<IndexEntry> {
    const sums =
      this.#gaps.length > 0
        ? await hashFiles(this.#paths)
        : { rawSha256: this.#rawHash.digest("hex"), indexSha256: this.#indexHash.digest("hex") };
    return { type: "ended", timeMs, position: this.#position, exitCode, isRecovered: false, ...sums };
  }

  /** Turns what was left out so far into a gap, before anything after it. */
  #addLeftOut(): void {
    const position = this.#leftOutFrom;
    if (position === null || position === this.#position || this.#failure) return;
    this.#leftOutFrom = this.#position;
    this.#entries.push({ type: "gap", timeMs: this.#time(), position, toPosition: this.#position });
    this.#pump();
  }

  #add(entry: IndexEntry): void {
    this.#addLeftOut();
    if (this.#isClosed || (this.#failure && this.#entries.length >= MAX_KEPT_ENTRIES)) return;
    this.#entries.push(entry);
    if (!this.#failure) this.#pump();
  }

  /** Monotonic, even if the clock is set back. */
  #time(): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, this.#now() - this.#startedAt);
    return this.#lastTimeMs;
  }

  #pump(): void {
    if (this.#isWriting) return;
    if (this.#pendingBytes >= FLUSH_AT_BYTES) this.#write();
    else
      this.#gather ??= setTimeout(
        () => this.#write(),
        this.#lastWriteBytes < FLOOD_BYTES ? GATHER_MS : FLOOD_GATHER_MS,
      );
  }

  #write(): void {
    if (this.#gather) clearTimeout(this.#gather);
    this.#gather = null;
    this.#isWriting = true;
    this.#written = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    let entries: IndexEntry[] = [];
    try {
      while (this.#header || this.#entries.length > 0) {
        const chunks = this.#chunks;
        entries = this.#entries;
        this.#chunks = [];
        this.#entries = [];
        this.#lastWriteBytes = this.#pendingBytes;
        this.#pendingBytes = 0;
        await this.#writeBatch(chunks, entries);
        entries = [];
        this.#lastRetryMs = 0;
      }
    } catch (error) {
      this.#failed(error as Error, entries);
    } finally {
      // In the same turn as the last check for pending output, so that the next output starts a new round.
      this.#isWriting = false;
    }
  }

  async #writeBatch(chunks: Uint8Array[], entries: IndexEntry[]): Promise<void> {
    const gaps = entries.flatMap((entry) =>
      entry.type === "gap" ? [{ from: entry.position, to: entry.toPosition }] : [],
    );
    if (gaps.length > 0) {
      await writeFile(this.#paths.gaps, JSON.stringify([...this.#gaps, ...gaps]), { mode: 0o600 });
    }
    // A gap from a failing disk comes before what is written now; one from the size limit comes after it.
    const isBefore = ({ from }: { from: number }) => from <= this.#rawEnd;
    const [before, after] = [gaps.filter(isBefore), gaps.filter((gap) => !isBefore(gap))];
    if (chunks.length > 0) await this.#leaveHoles(before);
    if (this.#mayHaveHalfLine) await this.#index.truncate(this.#indexEnd);
    await writeFully(this.#raw, chunks, this.#rawEnd);
    for (const chunk of chunks) {
      this.#rawEnd += chunk.byteLength;
      this.#rawHash.update(chunk);
      letGo(chunk);
    }
    await this.#leaveHoles(chunks.length > 0 ? after : gaps);

    const lines = Buffer.from(this.#header + entries.map(encodeEntry).join(""));
    await writeFully(this.#index, [lines], this.#indexEnd);
    this.#header = "";
    this.#indexEnd += lines.byteLength;
    this.#indexHash.update(lines);
    this.#gaps.push(...gaps);
    if (this.#mayHaveHalfLine) this.#onResumed({ missedBytes: gaps.reduce((sum, { from, to }) => sum + to - from, 0) });
    this.#mayHaveHalfLine = false;
  }

  /** A hole occupies no space. */
  async #leaveHoles(gaps: Gaps): Promise<void> {
    if (gaps.length === 0) return;
    this.#rawEnd = Math.max(this.#rawEnd, ...gaps.map(({ to }) => to));
    await this.#raw.truncate(this.#rawEnd);
  }

  /** Drops unwritten output. Its index entries are kept for the next attempt. */
  #failed(error: Error, unwritten: IndexEntry[]): void {
    const kept = [...unwritten, ...this.#entries].filter(
      (entry) => entry.type !== "output" || entry.toPosition <= this.#rawEnd,
    );
    this.#entries = kept.slice(0, MAX_KEPT_ENTRIES);
    this.#mayHaveHalfLine = true;
    for (const chunk of this.#chunks) letGo(chunk);
    this.#chunks = [];
    this.#pendingBytes = 0;
    this.#lastRetryMs = Math.min(Math.max(FIRST_RETRY_MS, 2 * this.#lastRetryMs), LAST_RETRY_MS);
    const retry = setTimeout(() => this.#tryAgain(), this.#lastRetryMs).unref();
    this.#failure = { timeMs: this.#time(), retry };
    this.#onFailed(error);
  }

  /** Resumes, after an entry that says what is missing. */
  #tryAgain(): void {
    if (!this.#failure) return;
    clearTimeout(this.#failure.retry);
    const { timeMs } = this.#failure;
    this.#failure = null;
    if (this.#position > this.#rawEnd) {
      const gap: IndexEntry = { type: "gap", timeMs, position: this.#rawEnd, toPosition: this.#position };
      const at = this.#entries.findIndex((entry) => entry.position >= gap.position);
      this.#entries.splice(at < 0 ? this.#entries.length : at, 0, gap);
    }
    this.#write();
  }
}

interface RecorderParts {
  dir: string;
  paths: RecordingPaths;
  raw: FileHandle;
  index: FileHandle;
  header: RecordingHeader;
  now: () => number;
  maxBytes?: number | null;
  onFailed?: (error: Error) => void;
  onResumed?: (gap: { missedBytes: number }) => void;
}

function shortenMark(mark: RecordingMark): RecordingMark {
  if (mark.kind === "commandStarted") return { ...mark, line: shorten(mark.line) };
  return mark.kind === "note" ? { ...mark, text: shorten(mark.text) } : mark;
}

function shorten(text: string): string {
  return text.length <= MAX_MARK_CHARS ? text : `${text.slice(0, MAX_MARK_CHARS - 1)}…`;
}
