import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import {
  encodeEntry,
  type IndexEntry,
  MAX_MARK_CHARS,
  type RecordingHeader,
  type RecordingMark,
  recordingPaths,
} from "./format.ts";
import { markOpen, unmarkOpen } from "./open-recordings.ts";

/** Output that came within this time of the entry before it is told apart by nobody. */
const SAME_FRAME_MS = 8;
/** After a write, this long more may gather before the next one, unless it is much. */
const GATHER_MS = 10;
const MUCH_BYTES = 256 * 1_024;
/** Above this, `append` asks its caller to wait for the disk. */
const MAX_PENDING_BYTES = 1_024 * 1_024;
const CREATE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW;

export interface RecorderOptions {
  dir: string;
  header: Omit<RecordingHeader, "version">;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Told once, when the disk refuses. What comes after that is not recorded. */
  onFailed?: (error: Error) => void;
}

export async function openRecorder({ dir, header, now, onFailed }: RecorderOptions): Promise<Recorder> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // First: what is marked and not there is passed over, what is there and not marked would never get its end.
  await markOpen(dir, header.terminalId);
  const paths = recordingPaths(dir, header.terminalId);
  const raw = await open(paths.raw, CREATE_NEW, 0o600);
  try {
    const index = await open(paths.index, CREATE_NEW, 0o600);
    return new Recorder({
      dir,
      raw,
      index,
      header: { version: 1, ...header, title: shorten(header.title) },
      now,
      onFailed,
    });
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/**
 * Writes a recording as it happens.
 *
 * What arrives while the disk is busy, or right after a write, goes out with the next
 * one, so a flood costs few writes and a keystroke none of its speed. Bytes are always written
 * before the index line that speaks of them: after a crash the index may know
 * too little, never too much.
 */
export class Recorder {
  readonly #dir: string;
  readonly #terminalId: RecordingHeader["terminalId"];
  readonly #raw: FileHandle;
  readonly #index: FileHandle;
  readonly #startedAt: number;
  readonly #now: () => number;
  readonly #onFailed: (error: Error) => void;
  readonly #rawHash = createHash("sha256");
  readonly #indexHash = createHash("sha256");
  #position = 0;
  #lastTimeMs = 0;
  #chunks: Uint8Array[] = [];
  #entries: IndexEntry[] = [];
  #pendingBytes = 0;
  #header: string;
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();
  #wroteAt = Number.NEGATIVE_INFINITY;
  #gather: NodeJS.Timeout | null = null;
  #hasFailed = false;
  #isClosed = false;

  constructor({ dir, raw, index, header, now, onFailed }: RecorderParts) {
    this.#dir = dir;
    this.#terminalId = header.terminalId;
    this.#raw = raw;
    this.#index = index;
    this.#startedAt = header.startedAt;
    this.#now = now;
    this.#onFailed = onFailed ?? (() => {});
    this.#header = `${JSON.stringify(header)}\n`;
    this.#pump();
  }

  /** The bytes must not change afterwards. Resolves at once, or when the disk has caught up if too much waits for it. */
  async append(bytes: Uint8Array): Promise<void> {
    if (!this.#isOpen || bytes.byteLength === 0) return;
    const timeMs = this.#time();
    const from = this.#position;
    this.#position += bytes.byteLength;
    this.#chunks.push(bytes);
    this.#pendingBytes += bytes.byteLength;

    const last = this.#entries.at(-1);
    if (last?.type === "output" && timeMs - last.timeMs < SAME_FRAME_MS) last.toPosition = this.#position;
    else this.#entries.push({ type: "output", timeMs, position: from, toPosition: this.#position });

    this.#pump();
    if (this.#pendingBytes > MAX_PENDING_BYTES) await this.#written;
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    this.#add({ type: "resized", timeMs: this.#time(), position: this.#position, cols, rows });
  }

  mark(mark: RecordingMark): void {
    this.#add({ type: "marked", timeMs: this.#time(), position: this.#position, mark: shortenMark(mark) });
  }

  /** Writes what is left and the checksums. A second call changes nothing. */
  async close({ exitCode }: { exitCode: number | null }): Promise<void> {
    if (this.#isClosed) return;
    const timeMs = this.#time();
    this.#isClosed = true;
    try {
      if (this.#gather) this.#write();
      await this.#written;
      if (this.#hasFailed) return;
      const end: IndexEntry = {
        type: "ended",
        timeMs,
        position: this.#position,
        exitCode,
        isRecovered: false,
        rawSha256: this.#rawHash.digest("hex"),
        indexSha256: this.#indexHash.digest("hex"),
      };
      await this.#index.appendFile(encodeEntry(end));
      await Promise.all([this.#raw.datasync(), this.#index.datasync()]);
      await unmarkOpen(this.#dir, this.#terminalId);
    } catch (error) {
      this.#onFailed(error as Error);
    } finally {
      await Promise.allSettled([this.#raw.close(), this.#index.close()]);
    }
  }

  get #isOpen(): boolean {
    return !this.#isClosed && !this.#hasFailed;
  }

  #add(entry: IndexEntry): void {
    if (!this.#isOpen) return;
    this.#entries.push(entry);
    this.#pump();
  }

  /** Never runs backwards, also when the clock is set. */
  #time(): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, this.#now() - this.#startedAt);
    return this.#lastTimeMs;
  }

  #pump(): void {
    if (this.#isWriting) return;
    const waitMs = this.#wroteAt + GATHER_MS - performance.now();
    if (waitMs <= 0 || this.#pendingBytes >= MUCH_BYTES) this.#write();
    else this.#gather ??= setTimeout(() => this.#write(), waitMs);
  }

  #write(): void {
    if (this.#gather) clearTimeout(this.#gather);
    this.#gather = null;
    this.#isWriting = true;
    this.#written = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#header || this.#entries.length > 0) {
        const bytes = Buffer.concat(this.#chunks);
        const lines = this.#header + this.#entries.map(encodeEntry).join("");
        this.#header = "";
        this.#chunks = [];
        this.#entries = [];
        this.#pendingBytes = 0;

        if (bytes.byteLength > 0) await this.#raw.appendFile(bytes);
        this.#rawHash.update(bytes);
        await this.#index.appendFile(lines);
        this.#indexHash.update(lines);
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#onFailed(error as Error);
    } finally {
      // In the same breath as the last look at what waits: what comes next starts a new round.
      this.#isWriting = false;
      this.#wroteAt = performance.now();
    }
  }
}

interface RecorderParts {
  dir: string;
  raw: FileHandle;
  index: FileHandle;
  header: RecordingHeader;
  now: () => number;
  onFailed: ((error: Error) => void) | undefined;
}

function shortenMark(mark: RecordingMark): RecordingMark {
  if (mark.kind === "commandStarted") return { ...mark, line: shorten(mark.line) };
  return mark.kind === "note" ? { ...mark, text: shorten(mark.text) } : mark;
}

function shorten(text: string): string {
  return text.length <= MAX_MARK_CHARS ? text : `${text.slice(0, MAX_MARK_CHARS - 1)}…`;
}
