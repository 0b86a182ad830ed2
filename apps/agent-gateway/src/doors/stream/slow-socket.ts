import { CLOSE_CODES } from "@belay/protocol";
import type { WebSocket } from "ws";

/** A client with more than this buffered is not reading at all: output itself waits for acknowledgements, or for the socket. */
const GIVE_UP_BYTES = 16 * 1024 * 1024;

/** Closes a socket whose client has stopped reading. Returns whether it did; then nothing more is to be sent. */
export function closeIfTooSlow(socket: WebSocket): boolean {
  if (socket.bufferedAmount <= GIVE_UP_BYTES) return false;
  socket.close(CLOSE_CODES.tooSlow, "too slow for too long");
  return true;
}
