import type { ScreenSnapshot } from "../pool/requests.ts";
import type { ScreenSize } from "./emulator.ts";
import { joinBytes } from "./join-bytes.ts";
import { WorkerFailedError, WorkerLine } from "./worker-line.ts";
import type { ScreenRequest } from "./worker-messages.ts";
import { startRenderWorker } from "./worker-start.ts";

export const SCREENS_DEFAULTS = {
  watchdogMs: 5_000,
  /** What one terminal may have waiting for the thread before its feeder is asked to wait. */
  maxPendingBytes: 256 * 1_024,
  /** A screen that nothing happened to for this long, or up to twice that, is put to rest. */
  restMs: 15_000,
};

/** What goes to the thread at once; terminals take turns after each. */
const TURN_BYTES = 64 * 1_024;
/** So long output gathers before it goes: each message to the thread costs as much as some kilobytes of it. */
const GATHER_MS = 10;

export interface ScreensOptions {
  /** Where the thread's file is; see `startRenderWorker` for what happens without it. */
  workerUrl?: URL;
  watchdogMs?: number;
  maxPendingBytes?: number;
  restMs?: number;
  /** The thread hung and was ended. Every screen goes on from where it is, empty and no longer exact. */
  onLost?: () => void;
}

/** The exact screen of every terminal, kept in a thread of its own, for those who attach. */
export class Screens {
  readonly #line: WorkerLine;
  readonly #maxPendingBytes: number;
  readonly #screens = new Map<string, ScreenFeed>();
  readonly #restTimer: NodeJS.Timeout;

  constructor(options: ScreensOptions = {}) {
    const { watchdogMs, maxPendingBytes, restMs } = { ...SCREENS_DEFAULTS, ...options };
    this.#maxPendingBytes = maxPendingBytes;
    this.#line = new WorkerLine({
      start: () => startRenderWorker(options.workerUrl, { isBackground: true }),
      watchdogMs,
      onLost: options.onLost,
    });
    this.#restTimer = setInterval(() => {
      if (this.#screens.size > 0) void this.#send({ type: "restScreens" });
    }, restMs);
    this.#restTimer.unref();
  }

  /** Starts a screen. Only one that starts at position 0 can be exact. */
  open(id: string, { position, ...size }: ScreenSize & { position: number }): void {
    this.drop(id);
    this.#screens.set(id, new ScreenFeed(size, position));
  }

  /**
   * Output, in order. Resolves when there is room for more, which is when the
   * next may come; that, and nothing else, bounds what a flood can pile up.
   */
  async feed(id: string, position: number, bytes: Uint8Array): Promise<void> {
    const screen = this.#screens.get(id);
    if (!screen) return;
    const { batch, isNew } = screen.collect(position, bytes);
    if (isNew) {
      void screen.inTurn(async () => {
        await batch.isGathered;
        screen.seal(batch);
        screen.position = batch.position + batch.bytes;
        // A copy: the bytes may be a view of a ring that goes on being written.
        const joined = joinBytes(batch.chunks);
        const { size } = screen;
        if (!screen.isDropped) {
          await this.#send({ type: "feedScreen", id, size, position: batch.position, bytes: joined }, [joined.buffer]);
        }
        screen.release(batch.bytes, this.#maxPendingBytes);
      });
    }
    await screen.room(this.#maxPendingBytes);
  }

  /** Takes effect after the output that was fed before it. */
  resize(id: string, size: ScreenSize): void {
    const screen = this.#screens.get(id);
    if (!screen) return;
    screen.seal();
    void screen.inTurn(async () => {
      screen.size = size;
      if (!screen.isDropped) await this.#send({ type: "resizeScreen", id, size, position: screen.position });
    });
  }

  /** The state after all output that was fed so far. Null for a terminal that is not here. */
  async snapshot(id: string, { scrollbackLines = 0 } = {}): Promise<ScreenSnapshot | null> {
    const screen = this.#screens.get(id);
    if (!screen) return null;
    screen.seal();
    return screen.inTurn(async () => {
      const { size, position } = screen;
      const request: ScreenRequest = { type: "snapshotScreen", id, size, position, scrollbackLines };
      const taken = screen.isDropped ? null : await this.#send(request);
      return taken ?? { ...size, position, bytes: new Uint8Array(), title: "", isAlternate: false, isExact: false };
    });
  }

  drop(id: string): void {
    const screen = this.#screens.get(id);
    if (!screen) return;
    // What still waits for it is not sent any more, or the thread would take it for a new screen.
    screen.isDropped = true;
    this.#screens.delete(id);
    void this.#send({ type: "dropScreen", id });
  }

  async close(): Promise<void> {
    clearInterval(this.#restTimer);
    this.#screens.clear();
    await this.#line.close();
  }

  /** Null when the thread failed: a screen is a convenience, and never a reason for a terminal to stop. */
  async #send(request: ScreenRequest, transfer: ArrayBuffer[] = []): Promise<ScreenSnapshot | null> {
    try {
      return await this.#line.send<ScreenSnapshot | null>(request, transfer);
    } catch (error) {
      if (error instanceof WorkerFailedError) return null;
      throw error;
    }
  }
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
class ScreenFeed {
  size: ScreenSize;
  /** After what was handed to the thread. */
  position: number;
  isDropped = false;
  #collecting: Batch | null = null;
  #pendingBytes = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting: (() => void)[] = [];

  constructor(size: ScreenSize, position: number) {
    this.size = size;
    this.position = position;
  }

  /** Puts bytes to those that wait already, where they follow on them and there is room. */
  collect(position: number, bytes: Uint8Array): { batch: Batch; isNew: boolean } {
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
    const result = this.#last.then(turn);
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
