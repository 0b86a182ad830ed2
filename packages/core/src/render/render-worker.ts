import { parentPort } from "node:worker_threads";
import { readScreenText } from "./screen-text.ts";
import type { WorkerReply, WorkerRequest } from "./worker-messages.ts";

/** The thread's entry: one request in, one reply out, in order. */
parentPort?.on("message", (request: WorkerRequest) => {
  let reply: WorkerReply<unknown>;
  try {
    reply = { ok: true, value: answer(request) };
  } catch (error) {
    reply = { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});

function answer(request: WorkerRequest): unknown {
  switch (request.type) {
    case "render":
      return readScreenText([request.bytes], request.size);
  }
}
