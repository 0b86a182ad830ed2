import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { freePort } from "../database/free-port.ts";

/** A NATS server on loopback that tests may kill, stop and start. */
export interface NatsServer {
  port: number;
  url: string;
  /** As a power failure would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** It goes on existing, and does nothing. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Null if it is not installed. */
export function findNats(): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/bin"];
  return folders.map((folder) => join(folder, "nats-server")).find(existsSync) ?? null;
}

export async function startNats(
  program: string,
  credentials?: { user: string; password: string },
): Promise<NatsServer> {
  const port = await freePort();
  const { user, password } = credentials ?? {};
  const args = [
    "-a",
    "127.0.0.1",
    "-p",
    String(port),
    ...(user && password ? ["--user", user, "--pass", password] : []),
  ];
  let server: ReturnType<typeof spawn> | null = null;
  const start = async () => {
    server = spawn(program, args, { stdio: "ignore" });
    await untilListening(port);
  };
  const kill = async () => {
    const ending = server;
    server = null;
    if (!ending || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    port,
    url: `nats://${user ? `${user}:${password}@` : ""}127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    close: kill,
  };
}

async function untilListening(port: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      // It greets every client, once it is ready.
      socket.once("data", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
      socket.once("data", () => socket.destroy());
    });
    if (isUp) return;
    if (Date.now() > deadline) throw new Error(`nats-server did not listen on port ${port}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
