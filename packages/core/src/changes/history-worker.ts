import { parentPort } from "node:worker_threads";
import { HistoryService } from "./history-service.ts";
import type { HistoryReply, HistoryRequest } from "./history-thread.ts";

const service = new HistoryService();

/** The thread's entry. Calls for one workspace wait for each other in its history, those for others do not. */
parentPort?.on("message", (request: HistoryRequest) => {
  const call = service[request.method] as (...args: unknown[]) => Promise<unknown>;
  call.apply(service, request.args).then(
    (value) => reply({ id: request.id, ok: true, value }),
    (error: Error) => reply({ id: request.id, ok: false, message: error.message }),
  );
});

function reply(message: HistoryReply): void {
  parentPort?.postMessage(message);
}
