import { parentPort } from "node:worker_threads";
import { ScreenShelf } from "./screen-shelf.ts";
import { readScreenText, type ScreenText } from "./screen-text.ts";
import { READY, type RenderRequest, type WorkerReply, type WorkerRequest } from "./worker-messages.ts";

const screens = new ScreenShelf();

/** The thread's entry: one request in, one reply out, in order. */
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
