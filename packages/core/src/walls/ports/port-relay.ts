import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import type { Readable } from "node:stream";
import { CoreError } from "../../errors.ts";
import { findProgram } from "../../shell/shells.ts";
import { SYSTEM_PATH } from "../system-path.ts";

const START_LIMIT_MS = 30_000;

/**
 * Runs in the network of a terminal, but otherwise outside its wall. It listens on Unix sockets in a folder that
 * programs behind the wall cannot reach, and connects each caller to a port on the loopback.
 */
const RELAY = `const net = require("node:net");
function dial(caller, port, [host, ...others]) {
  const server = net.connect({ host, port, allowHalfOpen: true });
  server.once("error", () => {
    server.destroy();
    if (others.length > 0) dial(caller, port, others);
    else caller.destroy();
  });
  server.once("connect", () => {
    server.removeAllListeners("error");
    for (const [one, other] of [[caller, server], [server, caller]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  });
}
process.on("message", ({ file, port }) => {
  const listener = net.createServer({ allowHalfOpen: true }, (caller) => {
    caller.on("error", () => caller.destroy());
    dial(caller, port, ["127.0.0.1", "::1"]);
  });
  listener.on("error", (error) => process.send({ file, error: error.message }));
  listener.listen(file, () => process.send({ file }));
});
process.once("disconnect", () => process.exit());`;

interface RelayOptions {
  /** A folder of our own for its sockets. */
  folder: string;
  /** The nsenter arguments that enter the network. */
  enter: readonly string[];
}

/** Lets programs of this user connect to ports inside a network namespace. */
export class PortRelay {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #sockets = new Map<number, Promise<string>>();

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
  }

  static open({ folder, enter }: RelayOptions): PortRelay {
    const nsenter = findProgram("nsenter", SYSTEM_PATH);
    if (!nsenter) throw new CoreError("port-not-reachable", "nsenter (util-linux) is not installed. Install it.");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // In that folder, because the path of a socket must be short.
    const child = spawn(nsenter, [...enter, process.execPath, "-e", RELAY], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: {},
    });
    child.on("error", () => {});
    return new PortRelay(folder, child);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || !this.#child.connected;
  }

  /** The name of a socket in the folder that leads to the port. */
  socketFor(port: number): Promise<string> {
    const found = this.#sockets.get(port) ?? this.#listen(port);
    this.#sockets.set(port, found);
    found.catch(() => this.#sockets.delete(port));
    return found;
  }

  close(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #listen(port: number): Promise<string> {
    const file = `${port}-${randomBytes(4).toString("hex")}`;
    const said = collect(this.#child.stderr);
    const signal = AbortSignal.timeout(START_LIMIT_MS);
    const answer = new Promise<void>((resolve, reject) => {
      const onMessage = (message: { file: string; error?: string }) => {
        if (message.file !== file) return;
        this.#child.off("message", onMessage);
        if (message.error === undefined) resolve();
        else reject(new Error(message.error));
      };
      this.#child.on("message", onMessage);
      signal.addEventListener("abort", () => {
        this.#child.off("message", onMessage);
        reject(new Error("it takes too long"));
      });
    });
    try {
      this.#child.send({ file, port }, () => {});
      await Promise.race([
        answer,
        once(this.#child, "exit", { signal }).then(() => Promise.reject(new Error(said() || "the relay ended"))),
      ]);
    } catch (error) {
      throw new CoreError(
        "port-not-reachable",
        `Port ${port} cannot be reached from outside: ${(error as Error).message}.`,
      );
    }
    return file;
  }
}

function collect(stream: Readable | null): () => string {
  let text = "";
  stream?.on("data", (chunk) => {
    text = `${text}${chunk}`.slice(-1000);
  });
  return () => text.trim();
}
