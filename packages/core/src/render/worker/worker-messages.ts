import type { ScreenSize } from "../emulator.ts";

/** What the thread is asked; every request has one reply, in order. */
export type WorkerRequest = RenderRequest | ScreenRequest;

/** Answered with a `ScreenText`. */
export interface RenderRequest {
  type: "render";
  bytes: Uint8Array;
  size: ScreenSize;
  isFromPipe: boolean;
}

/**
 * About one terminal's screen. Each says how large it is and where it stands,
 * so that a thread that was just started can go on from there.
 */
export type ScreenRequest =
  | { type: "feedScreen"; id: string; size: ScreenSize; position: number; bytes: Uint8Array }
  | { type: "resizeScreen"; id: string; size: ScreenSize; position: number }
  /** Answered with a `ScreenSnapshot`. */
  | { type: "snapshotScreen"; id: string; size: ScreenSize; position: number; scrollbackLines: number }
  /** Draws what an output ends with, without the screen before it. Answered with a `ScreenSnapshot` that is not exact. */
  | { type: "sketchScreen"; size: ScreenSize; position: number; bytes: Uint8Array; scrollbackLines: number }
  | { type: "dropScreen"; id: string }
  /** Puts the screens to rest that nothing happened to since the last time. */
  | { type: "restScreens" };

/** The thread's first message: it has loaded, and answers from now on. */
export const READY = "ready";

/** An emulator that threw is an answer, too: the thread goes on. */
export type WorkerReply<Value> = { ok: true; value: Value } | { ok: false; message: string };
