import { parentPort, workerData } from "node:worker_threads";
import { runInBackground } from "../../background-thread.ts";
import { WorkerScreens } from "../screen/worker-screens.ts";
import { readScreenText, type ScreenText } from "../screen-text.ts";
import { READY, type RenderRequest, type WorkerReply, type WorkerRequest } from "./worker-messages.ts";
import type { RenderWorkerData } from "./worker-start.ts";

const screens = new WorkerScreens();
if ((workerData as RenderWorkerData).isBackground) runInBackground();

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

function render({ bytes, size, isFromPipe }: RenderRequest): ScreenText {
  return readScreenText([bytes], { ...size, isFromPipe });
}
