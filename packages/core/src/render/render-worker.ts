import { parentPort } from "node:worker_threads";
import { ScreenShelf } from "./screen-shelf.ts";
import { readScreenText } from "./screen-text.ts";
import { READY, type WorkerReply, type WorkerRequest } from "./worker-messages.ts";

const screens = new ScreenShelf();

/** The thread's entry: one request in, one reply out, in order. */
parentPort?.on("message", (request: WorkerRequest) => {
  let reply: WorkerReply<unknown>;
  try {
    const isText = request.type === "render";
    reply = { ok: true, value: isText ? readScreenText([request.bytes], request.size) : screens.answer(request) };
  } catch (error) {
    reply = { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
parentPort?.postMessage(READY);
