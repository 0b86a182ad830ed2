import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Session, Target } from "../harness/target.ts";
import { openViewerSocket } from "../harness/viewer-socket.ts";
import { processTarget } from "./process-target.ts";

/** Packets of Engine.IO and, behind its `4`, of Socket.IO. */
const PING = "2";
const PONG = "3";
const CONNECT = "40";
const EVENT = "42";

const START_ATTEMPTS = 100;
const RETRY_MS = 100;

/**
 * wetty (`npm install --global wetty`) if it is on the PATH, otherwise null. Each of its sockets has a shell of its own.
 * Only root gets a shell of this machine; anyone else gets an SSH connection, which would be another measurement.
 */
export async function startWetty(): Promise<Target | null> {
  if (process.getuid?.() !== 0 || spawnSync("wetty", ["--version"]).status !== 0) return null;
  const port = await freePort();
  const address = ["--host", "127.0.0.1", "--port", String(port), "--base", "/wetty"];
  const args = [...address, "--command", "bash --norc", "--log-level", "error"];
  const child = spawn("wetty", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env.PATH ?? "", PS1: "" },
  });
  await untilServing(port);
  return processTarget("wetty", child, () => connect(port));
}

async function connect(port: number): Promise<Session> {
  let listener: (bytes: Uint8Array) => void = () => {};
  let loggedIn = () => {};
  const hasShell = new Promise<void>((resolve) => {
    loggedIn = resolve;
  });
  const socket = await openViewerSocket({
    url: `ws://127.0.0.1:${port}/wetty/socket.io/?EIO=4&transport=websocket`,
    onMessage: (data) => {
      const packet = data.toString();
      if (packet === PING) socket.send(PONG);
      if (!packet.startsWith(EVENT)) return;
      const [event, text] = JSON.parse(packet.slice(EVENT.length)) as [string, string?];
      if (event === "login") loggedIn();
      if (event !== "data" || text === undefined) return;
      // It stops reading the terminal until its page says how many characters it has shown.
      socket.send(EVENT + JSON.stringify(["commit", text.length]));
      listener(Buffer.from(text));
    },
  });
  socket.send(CONNECT);
  await hasShell;
  return {
    missedBytes: 0,
    onBytes: (next) => {
      listener = next;
    },
    type: (text) => socket.send(EVENT + JSON.stringify(["input", text])),
    watch: () => null,
    close: async () => socket.close(),
  };
}

/** It does not say on which port it listens, so it is told one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}

async function untilServing(port: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/wetty`);
      return;
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw new Error("wetty did not start.", { cause: error });
      await delay(RETRY_MS);
    }
  }
}
