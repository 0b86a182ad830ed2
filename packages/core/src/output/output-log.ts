import type { OutputConsumer } from "../pool/terminal-pool.ts";
import { keep, letGo } from "./slabs.ts";

const FIRST_CAPACITY_BYTES = 4 * 1024;

/** Enough for a few bursts; a silent terminal must not use much memory. */
const MAX_SHARED_SLICES = 2;
/** Smaller slices are copied for each reader: they are part of a 64 KB buffer, which stays as long as they do. */
const MIN_SHARED_BYTES = 32 * 1024;
/** Below this, copying costs less than keeping the chunk. */
const MIN_KEPT_CHUNK_BYTES = 4 * 1024;
/** A reader that keeps up is at most this many chunks behind. */
const MAX_KEPT_CHUNKS = 4;

export interface LogSlice {
  fromPosition: number;
  /** How many of the requested bytes were already overwritten. */
  missedBytes: number;
  /** Readers at the same position share them, so they must not be changed. */
  bytes: Buffer;
}

export interface OutputLogOptions {
  maxBytes: number;
  fromPosition?: number;
  keepsChunks?: boolean;
}

/**
 * The last bytes that a terminal printed, by absolute position.
 *
 * Positions count every byte ever printed and never restart, so a reader that
 * comes back asks for "all since 81920" without knowing what was dropped. It is
 * a ring of bytes rather than a list of chunks: a program that prints one byte at a
 * time costs no more than one that prints pages. It starts small, because most
 * terminals print little, and doubles up to its capacity.
 */
export class OutputLog {
  readonly #maxBytes: number;
  #ring: Buffer;
  #start = 0;
  #end = 0;
  /** Slices read since the last append, by position: many readers of one terminal are at the same position. */
  readonly #slices = new Map<number, Buffer>();
  readonly #keepsChunks: boolean;
  /** The last large chunks as they were appended, oldest first: a reader that keeps up takes them without a copy. */
  #chunks: { position: number; bytes: Buffer }[] = [];

  /** `fromPosition`: earlier bytes will never be available. `keepsChunks`: appended chunks may be kept. */
  constructor({ maxBytes, fromPosition = 0, keepsChunks = false }: OutputLogOptions) {
    this.#keepsChunks = keepsChunks;
    this.#maxBytes = maxBytes;
    this.#start = fromPosition;
    this.#end = fromPosition;
    this.#ring = Buffer.allocUnsafeSlow(Math.min(FIRST_CAPACITY_BYTES, maxBytes));
  }

  get startPosition(): number {
    return this.#start;
  }

  get endPosition(): number {
    return this.#end;
  }

  append(chunk: Buffer): void {
    this.#slices.clear();
    if (this.#keepsChunks) this.#keepChunk(chunk);
    this.#growFor(chunk.byteLength);
    const capacity = this.#ring.byteLength;
    // Of a chunk larger than the whole ring only the end is kept.
    const kept = chunk.byteLength > capacity ? chunk.subarray(chunk.byteLength - capacity) : chunk;
    this.#end += chunk.byteLength;
    this.#start = Math.max(this.#start, this.#end - capacity);

    const at = (this.#end - kept.byteLength) % capacity;
    const untilWrap = Math.min(kept.byteLength, capacity - at);
    this.#ring.set(kept.subarray(0, untilWrap), at);
    if (untilWrap < kept.byteLength) this.#ring.set(kept.subarray(untilWrap), 0);
  }

  /** Continues at a later position and drops everything before it. */
  skipTo(position: number): void {
    this.#slices.clear();
    this.#forgetChunks();
    this.#start = position;
    this.#end = position;
  }

  /** A copy of at most `maxBytes` from a position on. A position beyond the end reads as the end. */
  read(fromPosition: number, maxBytes: number): LogSlice {
    const asked = Math.min(Math.max(0, fromPosition), this.#end);
    const from = Math.max(asked, this.#start);
    const length = Math.max(0, Math.min(maxBytes, this.#end - from));
    return { fromPosition: from, missedBytes: from - asked, bytes: this.#slice(from, length) };
  }

  /**
   * The next bytes, for a reader that continues: at most `maxBytes`, or fewer if that saves a copy. Views
   * are valid only until more is appended, because the ring is overwritten.
   */
  next(fromPosition: number, maxBytes: number, takes: NonNullable<OutputConsumer["takes"]>): LogSlice {
    const from = Math.max(fromPosition, this.#start);
    const missedBytes = from - fromPosition;
    const chunk = takes === "copies" ? undefined : this.#chunks.find(({ position }) => position === from);
    if (chunk && chunk.bytes.byteLength <= maxBytes) return { fromPosition: from, missedBytes, bytes: chunk.bytes };
    // Up to a multiple of `maxBytes`, so that readers at different positions then get the same slices and share them.
    const untilRound = maxBytes - (from % maxBytes);
    if (takes !== "views") return this.read(fromPosition, untilRound);
    const at = from % this.#ring.byteLength;
    const end = Math.min(at + untilRound, at + this.#end - from, this.#ring.byteLength);
    return { fromPosition: from, missedBytes, bytes: this.#ring.subarray(at, end) };
  }

  #keepChunk(chunk: Buffer): void {
    // A small chunk means that the flood is over, and the kept chunks are no longer needed.
    if (chunk.byteLength < MIN_KEPT_CHUNK_BYTES) {
      this.#forgetChunks();
      return;
    }
    this.#chunks.push({ position: this.#end, bytes: keep(chunk) });
    if (this.#chunks.length <= MAX_KEPT_CHUNKS) return;
    const oldest = this.#chunks.shift();
    if (oldest) letGo(oldest.bytes);
  }

  #forgetChunks(): void {
    for (const { bytes } of this.#chunks) letGo(bytes);
    this.#chunks = [];
  }

  #slice(from: number, length: number): Buffer {
    const shared = this.#slices.get(from);
    if (shared?.byteLength === length) return shared;
    const bytes = this.#copy(this.#ring, from, length);
    if (length >= MIN_SHARED_BYTES && this.#slices.size < MAX_SHARED_SLICES) this.#slices.set(from, bytes);
    return bytes;
  }

  #growFor(byteLength: number): void {
    const needed = Math.min(this.#end - this.#start + byteLength, this.#maxBytes);
    let capacity = this.#ring.byteLength;
    if (needed <= capacity) return;

    while (capacity < needed) capacity = Math.min(capacity * 2, this.#maxBytes);
    const grown = Buffer.allocUnsafeSlow(capacity);
    const held = this.#copy(this.#ring, this.#start, this.#end - this.#start);
    const at = this.#start % capacity;
    const untilWrap = Math.min(held.byteLength, capacity - at);
    held.copy(grown, at, 0, untilWrap);
    held.copy(grown, 0, untilWrap);
    this.#ring = grown;
  }

  #copy(ring: Buffer, from: number, length: number): Buffer {
    const copy = Buffer.allocUnsafe(length);
    const at = from % ring.byteLength;
    const untilWrap = Math.min(length, ring.byteLength - at);
    ring.copy(copy, 0, at, at + untilWrap);
    ring.copy(copy, untilWrap, 0, length - untilWrap);
    return copy;
  }
}
