const FIRST_CAPACITY_BYTES = 4 * 1024;

/** Enough for a few bursts; a silent terminal must not hold on to much. */
const MAX_SHARED_SLICES = 2;

export interface LogSlice {
  fromPosition: number;
  /** How many of the bytes asked for were already overwritten. */
  missedBytes: number;
  /** A copy, because the ring goes on turning. Readers at the same place share it: not to be changed. */
  bytes: Buffer;
}

/**
 * The last bytes that a terminal printed, by absolute position.
 *
 * Positions count every byte ever printed and never restart, so a reader that
 * comes back asks for "all since 81920" without knowing what was dropped. It is
 * a ring of bytes and not a list of chunks: a program that prints one byte at a
 * time costs no more than one that prints pages. It starts small, because most
 * terminals print little, and doubles up to its cap.
 */
export class OutputLog {
  readonly #maxBytes: number;
  #ring: Buffer;
  #start = 0;
  #end = 0;
  /** What was read since the last append, by position: many readers of one terminal are at the same place. */
  readonly #slices = new Map<number, Buffer>();

  /** `fromPosition`: nothing before it will ever be here. */
  constructor({ maxBytes, fromPosition = 0 }: { maxBytes: number; fromPosition?: number }) {
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

  append(chunk: Uint8Array): void {
    this.#slices.clear();
    this.#growFor(chunk.byteLength);
    const capacity = this.#ring.byteLength;
    // Of a chunk larger than the whole ring only the end can stay.
    const kept = chunk.byteLength > capacity ? chunk.subarray(chunk.byteLength - capacity) : chunk;
    this.#end += chunk.byteLength;
    this.#start = Math.max(this.#start, this.#end - capacity);

    const at = (this.#end - kept.byteLength) % capacity;
    const untilWrap = Math.min(kept.byteLength, capacity - at);
    this.#ring.set(kept.subarray(0, untilWrap), at);
    if (untilWrap < kept.byteLength) this.#ring.set(kept.subarray(untilWrap), 0);
  }

  /** Goes on at a later position; what lies between is gone, and what was here too. */
  skipTo(position: number): void {
    this.#slices.clear();
    this.#start = position;
    this.#end = position;
  }

  /** At most `maxBytes` from a position on. A position beyond the end reads as the end. */
  read(fromPosition: number, maxBytes: number): LogSlice {
    const asked = Math.min(Math.max(0, fromPosition), this.#end);
    const from = Math.max(asked, this.#start);
    const length = Math.max(0, Math.min(maxBytes, this.#end - from));
    return { fromPosition: from, missedBytes: from - asked, bytes: this.#slice(from, length) };
  }

  #slice(from: number, length: number): Buffer {
    const shared = this.#slices.get(from);
    if (shared?.byteLength === length) return shared;
    const bytes = this.#copy(this.#ring, from, length);
    if (this.#slices.size < MAX_SHARED_SLICES) this.#slices.set(from, bytes);
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
