import type { ScreenSnapshot, SnapshotRequest } from "../../pool/requests.ts";
import type { ScreenSize } from "../emulator.ts";
import { joinBytes } from "../join-bytes.ts";
import { WorkerFailedError, WorkerLine } from "../worker/worker-line.ts";
import type { ScreenRequest } from "../worker/worker-messages.ts";
import { startRenderWorker } from "../worker/worker-start.ts";
import { type Lag, ScreenFeed } from "./screen-feed.ts";

export const SCREENS_DEFAULTS = {
  watchdogMs: 5_000,
  /** The most that one terminal may have pending for the thread before its feeder has to wait. */
  maxPendingBytes: 256 * 1_024,
  /** A screen that is unchanged for this long, or up to twice as long, is suspended. */
  restMs: 15_000,
};

export interface ScreensOptions {
  /** Where the thread's file is; see `startRenderWorker` for what happens without it. */
  workerUrl?: URL;
  watchdogMs?: number;
  maxPendingBytes?: number;
  restMs?: number;
  /** The thread hung and was ended. Every screen continues from its current position, empty and no longer exact. */
  onLost?: () => void;
}

/** The exact screen of every terminal, kept in a worker thread, for new viewers. */
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
   * Feeds output, in order. Resolves when there is room for more; the caller has to wait for that, which
   * bounds the memory of a flood.
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
        // A copy, because the bytes may be a view of a ring buffer.
        const joined = joinBytes(batch.chunks);
        const { size } = screen;
        if (!screen.isDropped) {
          await this.#send(
            { type: "feedScreen", id, size, position: batch.position, bytes: joined },
            { transfer: [joined.buffer] },
          );
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
    screen.forgetSnapshot();
    void screen.inTurn(async () => {
      screen.size = size;
      if (!screen.isDropped) await this.#send({ type: "resizeScreen", id, size, position: screen.position });
    });
  }

  /**
   * Says that a screen does not follow its output at present, and provides the end of that output; null: it follows
   * again. Meanwhile snapshots are drawn from that end.
   */
  follows(id: string, lag: Lag | null): void {
    this.#screens.get(id)?.lags(lag);
  }

  /**
   * The state after all output so far. A screen that does not follow a flood is drawn from its end at once, and not
   * exactly, unless the caller wants to wait until it has caught up. Null for an unknown terminal.
   */
  async snapshot(id: string, request: Partial<SnapshotRequest> = {}): Promise<ScreenSnapshot | null> {
    const { scrollbackLines = 0, waitsUntilExact = false } = request;
    const screen = this.#screens.get(id);
    if (!screen) return null;
    if (screen.lag && !waitsUntilExact) return this.#sketch(screen, screen.lag, scrollbackLines);
    // Without an await if there is nothing to wait for, so that it keeps its place in the order of feeds.
    if (screen.lag) await screen.untilLevel();
    if (screen.isDropped) return null;
    const known = screen.lastSnapshot(scrollbackLines);
    if (known) return known;
    screen.seal();
    return screen.inTurn(async () => {
      const { size, position } = screen;
      const request: ScreenRequest = { type: "snapshotScreen", id, size, position, scrollbackLines };
      const taken = screen.isDropped ? null : await this.#send(request);
      if (taken) screen.keepSnapshot(taken, scrollbackLines);
      return taken ?? { ...size, position, bytes: new Uint8Array(), title: "", isAlternate: false, isExact: false };
    });
  }

  drop(id: string): void {
    const screen = this.#screens.get(id);
    if (!screen) return;
    // Pending output is not sent any more, or the thread would treat it as a new screen.
    screen.isDropped = true;
    screen.lags(null);
    this.#screens.delete(id);
    void this.#send({ type: "dropScreen", id });
  }

  async close(): Promise<void> {
    clearInterval(this.#restTimer);
    this.#screens.clear();
    await this.#line.close();
  }

  /** Until there is more output, all viewers get the same sketch. */
  #sketch(screen: ScreenFeed, lag: Lag, scrollbackLines: number): Promise<ScreenSnapshot> {
    const end = lag.end();
    return screen.sketch({ position: end.position, scrollbackLines }, () => this.#draw(end, scrollbackLines));
  }

  async #draw({ size, position, bytes }: ReturnType<Lag["end"]>, scrollbackLines: number): Promise<ScreenSnapshot> {
    const request: ScreenRequest = {
      type: "sketchScreen",
      size,
      position: position - bytes.byteLength,
      bytes,
      scrollbackLines,
    };
    const drawn = await this.#send(request, { isUrgent: true });
    return drawn ?? { ...size, position, bytes: new Uint8Array(), title: "", isAlternate: false, isExact: false };
  }

  /** Null if the thread failed: a screen is a convenience, and must never stop a terminal. */
  async #send(request: ScreenRequest, how?: Parameters<WorkerLine["send"]>[1]): Promise<ScreenSnapshot | null> {
    try {
      return await this.#line.send<ScreenSnapshot | null>(request, how);
    } catch (error) {
      if (error instanceof WorkerFailedError) return null;
      throw error;
    }
  }
}
