import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:net";
import type { Readable } from "node:stream";
import { CoreError } from "../../errors.ts";
import { findProgram } from "../../shell/shells.ts";
import { SYSTEM_PATH } from "../system-path.ts";

/** The proxy's address in a namespace. A namespace has no other address, so the port is free. */
export const PROXY_PORT = 3128;

const START_LIMIT_MS = 30_000;

/** Runs inside the namespace, passes its listening socket to us, and exits once we have it. */
const LISTEN = `const server = require("node:net").createServer().listen(${PROXY_PORT}, "127.0.0.1", () =>
  process.send("listening", server));
process.once("message", () => process.exit());
process.once("disconnect", () => process.exit());`;

/**
 * A network namespace with only a loopback, kept alive by an idle process.
 *
 * The only way out, if there is one, is a socket that listens inside the namespace and is accepted outside: a socket
 * stays in the namespace in which it was created. So the proxy runs outside, and nothing inside can reach the outside.
 */
export class NetworkNamespace {
  /** Processes join the namespace's network through this one. */
  readonly pid: number;
  /** Null if there is no way out. */
  readonly server: Server | null;
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess, pid: number, server: Server | null) {
    this.#holder = holder;
    this.pid = pid;
    this.server = server;
  }

  static async open({ hasWayOut }: { hasWayOut: boolean }): Promise<NetworkNamespace> {
    const [bwrap, nsenter] = ["bwrap", "nsenter"].map((name) => findProgram(name, SYSTEM_PATH));
    if (!bwrap || !nsenter) {
      throw new CoreError(
        "spawn-failed",
        "A network of an agent's own needs bubblewrap and nsenter (util-linux). Nothing was started.",
      );
    }
    const holder = spawn(bwrap, [...HOLD, "/bin/sh", "-c", "echo ready; exec sleep infinity"], {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    try {
      const pid = await within(pidFrom(holder), "keep a network apart");
      if (!hasWayOut) return new NetworkNamespace(holder, pid, null);
      const listener = spawn(nsenter, [...enterNamespaceArgs(pid), process.execPath, "-e", LISTEN], {
        stdio: ["ignore", "ignore", "pipe", "ipc"],
        env: {},
      });
      const server = await within(serverFrom(listener), "listen in a network that is kept apart");
      return new NetworkNamespace(holder, pid, server);
    } catch (error) {
      holder.kill("SIGKILL");
      throw error;
    }
  }

  close(): void {
    this.server?.close();
    this.#holder.kill("SIGKILL");
  }
}

const HOLD = ["--unshare-user", "--unshare-net", "--die-with-parent", "--dev-bind", "/", "/", "--info-fd", "3"];

/** The nsenter arguments that enter a namespace. */
export function enterNamespaceArgs(pid: number): string[] {
  return ["--target", String(pid), "--user", "--net", "--preserve-credentials"];
}

/** Its pid is known early, but only its output says that its namespaces are complete and can be entered. */
async function pidFrom(holder: ChildProcess): Promise<number> {
  const said = collect(holder.stderr);
  const about = holder.stdio[3] as Readable;
  const told = collect(about);
  await Promise.race([
    Promise.all([once(holder.stdout as Readable, "data"), once(about, "end")]),
    once(holder, "exit").then(() => Promise.reject(new Error(said() || "bubblewrap ended at once"))),
  ]);
  const pid = /"child-pid":\s*(\d+)/.exec(told())?.[1];
  if (!pid) throw new Error("bubblewrap did not report its pid");
  return Number(pid);
}

async function serverFrom(listener: ChildProcess): Promise<Server> {
  const said = collect(listener.stderr);
  const server = await Promise.race([
    once(listener, "message").then(([, passed]) => passed as Server),
    once(listener, "exit").then(() => Promise.reject(new Error(said() || "it ended at once"))),
  ]);
  listener.send("taken", () => {});
  return server;
}

function collect(stream: Readable | null): () => string {
  let text = "";
  stream?.on("data", (chunk) => {
    text += chunk;
  });
  return () => text.trim();
}

async function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it takes too long")), START_LIMIT_MS);
  });
  try {
    return await Promise.race([promise, limit]);
  } catch (error) {
    throw new CoreError(
      "spawn-failed",
      `This machine cannot ${what}: ${(error as Error).message}. Nothing was started.`,
    );
  } finally {
    clearTimeout(timer);
  }
}
