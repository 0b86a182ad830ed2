import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { WorkerScreens } from "../screen/worker-screens.ts";
import { readScreenText, type ScreenText } from "../screen-text.ts";
import { READY, type RenderRequest, type WorkerReply, type WorkerRequest } from "./worker-messages.ts";
import type { RenderWorkerData } from "./worker-start.ts";

/** A niceness that leaves it about a third of the usual share of a busy CPU. */
const BACKGROUND_NICENESS = 5;

const screens = new WorkerScreens();
if ((workerData as RenderWorkerData).isBackground) yieldToEventLoop();

/** The thread's entry point: one request in, one reply out, in order. */
parentPort?.on("message", (request: WorkerRequest) => {
  let reply: WorkerReply<unknown>;
  try {
    reply = { ok: true, value: request.type === "render" ? render(request) : screens.answer(request) };
  } catch (error) {
    reply = { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
parentPort?.postMessage(READY);

/** On Linux each thread has its own priority, set by its thread id. */
function yieldToEventLoop(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), BACKGROUND_NICENESS);
  } catch {
    // No /proc: then it competes like any other thread.
  }
}

function render({ bytes, size, isFromPipe }: RenderRequest): ScreenText {
  return readScreenText([bytes], { ...size, isFromPipe });
}
