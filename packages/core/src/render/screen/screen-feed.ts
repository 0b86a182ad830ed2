import type { ScreenSnapshot } from "../../pool/requests.ts";
import type { ScreenSize } from "../emulator.ts";

/** What is sent to the thread at once; terminals take turns after each. */
const TURN_BYTES = 64 * 1_024;
/**
 * How long output is batched before it is sent: each message to the thread costs as much as some kilobytes of output.
 * Snapshot requests do not wait for it.
 */
const GATHER_MS = 100;

/** A screen that lags behind. */
export interface Lag {
  /** The end of its output, starting where it can be shown, and the position after it. */
  end(): { size: ScreenSize; position: number; bytes: Uint8Array };
  /** A caller waits until it has caught up. */
  wanted(): void;
}

class Batch {
  readonly position: number;
  readonly chunks: Uint8Array[] = [];
  bytes = 0;
  readonly isGathered: Promise<void>;
  #gathered: () => void = () => {};
  readonly #timer: NodeJS.Timeout;

  constructor(position: number) {
    this.position = position;
    this.isGathered = new Promise((resolve) => {
      this.#gathered = resolve;
    });
    this.#timer = setTimeout(this.#gathered, GATHER_MS);
  }

  add(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.bytes += bytes.byteLength;
  }

  /** Nothing more is appended to it. */
  seal(): void {
    clearTimeout(this.#timer);
    this.#gathered();
  }
}

/** What is pending for one screen: one item at a time, in order. */
export class ScreenFeed {
  size: ScreenSize;
  /** The position after what was sent to the thread. */
  position: number;
  isDropped = false;
  #lag: Lag | null = null;
  #onLevel: (() => void)[] = [];
  #snapshot: { scrollbackLines: number; taken: ScreenSnapshot } | null = null;
  #sketch: { position: number; scrollbackLines: number; drawn: Promise<ScreenSnapshot> } | null = null;
  #collecting: Batch | null = null;
  #pendingBytes = 0;
  /** How many turns are queued or running. */
  #turns = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting: (() => void)[] = [];

  constructor(size: ScreenSize, position: number) {
    this.size = size;
    this.position = position;
  }

  /** Set while it does not follow its output. */
  get lag(): Lag | null {
    return this.#lag;
  }

  lags(lag: Lag | null): void {
    this.#lag = lag;
    this.#sketch = null;
    if (lag === null) for (const resolve of this.#onLevel.splice(0)) resolve();
  }

  async untilLevel(): Promise<void> {
    while (this.#lag) {
      this.#lag.wanted();
      await new Promise<void>((resolve) => this.#onLevel.push(resolve));
    }
  }

  /** The last snapshot, if nothing has happened since. */
  lastSnapshot(scrollbackLines: number): ScreenSnapshot | null {
    return this.#snapshot?.scrollbackLines === scrollbackLines ? this.#snapshot.taken : null;
  }

  keepSnapshot(taken: ScreenSnapshot, scrollbackLines: number): void {
    // Output batched meanwhile is not in it.
    if (this.#pendingBytes === 0 && this.#turns === 1) this.#snapshot = { scrollbackLines, taken };
  }

  forgetSnapshot(): void {
    this.#snapshot = null;
  }

  /** The last sketch if nothing has changed, otherwise a new one. */
  sketch(
    of: { position: number; scrollbackLines: number },
    draw: () => Promise<ScreenSnapshot>,
  ): Promise<ScreenSnapshot> {
    const last = this.#sketch;
    if (last?.position === of.position && last.scrollbackLines === of.scrollbackLines) return last.drawn;
    const drawn = draw();
    this.#sketch = { ...of, drawn };
    return drawn;
  }

  /** Appends bytes to a waiting batch, if they are contiguous and there is room. */
  collect(position: number, bytes: Uint8Array): { batch: Batch; isNew: boolean } {
    this.#snapshot = null;
    this.#pendingBytes += bytes.byteLength;
    const batch = this.#collecting;
    if (batch && position === batch.position + batch.bytes && batch.bytes + bytes.byteLength <= TURN_BYTES) {
      batch.add(bytes);
      return { batch, isNew: false };
    }
    batch?.seal();
    const next = new Batch(position);
    next.add(bytes);
    this.#collecting = next;
    return { batch: next, isNew: true };
  }

  /** Later output is not appended to this batch, or to any other waiting one. */
  seal(batch = this.#collecting): void {
    batch?.seal();
    if (this.#collecting === batch) this.#collecting = null;
  }

  /** Runs after everything before it, and before everything after it. */
  inTurn<Value>(turn: () => Promise<Value>): Promise<Value> {
    this.#turns += 1;
    const result = this.#last.then(turn).finally(() => {
      this.#turns -= 1;
    });
    this.#last = result;
    return result;
  }

  async room(maxPendingBytes: number): Promise<void> {
    if (this.#pendingBytes <= maxPendingBytes) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(bytes: number, maxPendingBytes: number): void {
    this.#pendingBytes -= bytes;
    if (this.#pendingBytes > maxPendingBytes) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
