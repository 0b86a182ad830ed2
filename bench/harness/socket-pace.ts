import type { WebSocket } from "ws";
import type { Watcher } from "./target.ts";

/** How a viewer's socket stops reading, or reads slowly. */
export function paceOf(socket: WebSocket): Pick<Watcher, "stall" | "slowTo"> {
  return {
    stall: () => socket.pause(),
    slowTo: (bytesPerSecond) => {
      socket.on("message", (data: Buffer) => {
        socket.pause();
        setTimeout(() => socket.resume(), (data.byteLength / bytesPerSecond) * 1000);
      });
    },
  };
}
