import type { Duplex } from "node:stream";
import { createWebSocketStream, type WebSocket } from "ws";

/**
 * The frames that a WebSocket carries between a gateway and a machine. It closes with the WebSocket: by itself, the
 * stream would stay open for writing, and the end would be noticed only with the next message.
 */
export function frameStream(socket: WebSocket): Duplex {
  const stream = createWebSocketStream(socket);
  // After everything that came before the end has been read.
  stream.once("end", () => stream.destroy());
  return stream;
}
