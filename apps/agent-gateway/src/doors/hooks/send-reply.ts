import type { ServerResponse } from "node:http";
import { finished } from "node:stream";

/**
 * Sends an answer, and says whether the connection took it: a client that has given up has closed it.
 *
 * What the network loses after that is unknown. For a client on the same machine, nothing comes after it.
 */
export async function sendReply(response: ServerResponse, send: () => void): Promise<boolean> {
  // A peer that closed while this process was busy is noticed the next time that the sockets are polled.
  await nextPoll();
  if (response.destroyed || response.closed) return false;
  return new Promise((resolve) => {
    finished(response, (error) => resolve(!error));
    send();
  });
}

/** Between two immediates the event loop has polled once. */
function nextPoll(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
