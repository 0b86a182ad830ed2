import { spawn, spawnSync } from "node:child_process";
import type { Session, Target } from "../harness/target.ts";
import { openViewerSocket } from "../harness/viewer-socket.ts";
import { processTarget } from "./process-target.ts";

const INPUT = "0";
const OUTPUT = "0".charCodeAt(0);

/** ttyd if it is on the PATH, otherwise null. Each of its sockets has a shell of its own. */
export async function startTtyd(): Promise<Target | null> {
  if (spawnSync("ttyd", ["--version"]).error) return null;
  const child = spawn("ttyd", ["-W", "-p", "0", "-i", "127.0.0.1", "bash", "--norc"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH ?? "", PS1: "" },
  });
  const port = await new Promise<number>((resolve) => {
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Listening on port: (\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    });
  });
  return processTarget("ttyd", child, () => connect(port));
}

async function connect(port: number): Promise<Session> {
  let listener: (bytes: Uint8Array) => void = () => {};
  const socket = await openViewerSocket({
    url: `ws://127.0.0.1:${port}/ws`,
    protocol: "tty",
    onMessage: (data) => {
      if (data[0] === OUTPUT) listener(data.subarray(1));
    },
  });
  socket.send(Buffer.from(JSON.stringify({ AuthToken: "", columns: 80, rows: 24 })));
  return {
    missedBytes: 0,
    onBytes: (next) => {
      listener = next;
    },
    type: (text) => socket.send(Buffer.from(INPUT + text)),
    watch: () => null,
    close: async () => socket.close(),
  };
}
