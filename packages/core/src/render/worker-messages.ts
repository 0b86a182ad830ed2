import type { ScreenSize } from "./emulator.ts";

/** What the thread is asked; every request has one reply, in order. */
export type WorkerRequest = RenderRequest;

/** Answered with a `ScreenText`. */
export interface RenderRequest {
  type: "render";
  bytes: Uint8Array;
  size: ScreenSize;
}

/** An emulator that threw is an answer, too: the thread goes on. */
export type WorkerReply<Value> = { ok: true; value: Value } | { ok: false; message: string };
