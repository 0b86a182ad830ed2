import type { ScreenSnapshot } from "../../pool/requests.ts";
import type { ScreenSize } from "../emulator.ts";

/** What goes to the thread at once; terminals take turns after each. */
const TURN_BYTES = 64 * 1_024;
/**
 * So long output gathers before it goes: each message to the thread costs as much as some kilobytes of it. Whoever wants
 * to see the screen does not wait for that.
 */
const GATHER_MS = 100;

/** A screen that is behind. */
export interface Lag {
  /** What its output ends with, beginning where it can be shown, and the position after that. */
  end(): { size: ScreenSize; position: number; bytes: Uint8Array };
  /** Somebody waits until it has caught up. */
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

  /** Nothing more is put to it. */
  seal(): void {
    clearTimeout(this.#timer);
    this.#gathered();
  }
}

/** What is on its way to one screen: one thing at a time, in order. */
export class ScreenFeed {
  size: ScreenSize;
  /** After what was handed to the thread. */
  position: number;
  isDropped = false;
  #lag: Lag | null = null;
  #onLevel: (() => void)[] = [];
  #snapshot: { scrollbackLines: number; taken: ScreenSnapshot } | null = null;
  #collecting: Batch | null = null;
  #pendingBytes = 0;
  /** How many turns wait or are under way. */
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
    if (lag === null) for (const resolve of this.#onLevel.splice(0)) resolve();
  }

  async untilLevel(): Promise<void> {
    while (this.#lag) {
      this.#lag.wanted();
      await new Promise<void>((resolve) => this.#onLevel.push(resolve));
    }
  }

  /** The last snapshot, where nothing has happened since. */
  lastSnapshot(scrollbackLines: number): ScreenSnapshot | null {
    return this.#snapshot?.scrollbackLines === scrollbackLines ? this.#snapshot.taken : null;
  }

  keepSnapshot(taken: ScreenSnapshot, scrollbackLines: number): void {
    // What was collected meanwhile is not in it.
    if (this.#pendingBytes === 0 && this.#turns === 1) this.#snapshot = { scrollbackLines, taken };
  }

  forgetSnapshot(): void {
    this.#snapshot = null;
  }

  /** Puts bytes to those that wait already, where they follow on them and there is room. */
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

  /** What comes from now on is not put to this batch, or to any that waits already. */
  seal(batch = this.#collecting): void {
    batch?.seal();
    if (this.#collecting === batch) this.#collecting = null;
  }

  /** Runs after everything that came before, and before everything that comes after. */
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
