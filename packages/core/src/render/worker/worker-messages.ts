import type { ScreenSize } from "../emulator.ts";

/** The requests to the thread; each has one reply, in order. */
export type WorkerRequest = RenderRequest | ScreenRequest;

/** Answered with a `ScreenText`. */
export interface RenderRequest {
  type: "render";
  bytes: Uint8Array;
  size: ScreenSize;
  isFromPipe: boolean;
}

/**
 * About one terminal's screen. Each has its size and position,
 * so that a new thread can continue from there.
 */
export type ScreenRequest =
  | { type: "feedScreen"; id: string; size: ScreenSize; position: number; bytes: Uint8Array }
  | { type: "resizeScreen"; id: string; size: ScreenSize; position: number }
  /** Answered with a `ScreenSnapshot`. */
  | { type: "snapshotScreen"; id: string; size: ScreenSize; position: number; scrollbackLines: number }
  /** Draws the end of an output, without the screen before it. Answered with a `ScreenSnapshot` that is not exact. */
  | { type: "sketchScreen"; size: ScreenSize; position: number; bytes: Uint8Array; scrollbackLines: number }
  | { type: "dropScreen"; id: string }
  /** Suspends the screens that have not changed since the last time. */
  | { type: "restScreens" };

/** The thread's first message: it has loaded. */
export const READY = "ready";

/** An exception in the emulator is an answer, too: the thread continues. */
export type WorkerReply<Value> = { ok: true; value: Value } | { ok: false; message: string };
