import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeServerFrame, encodeClientFrame, SUBPROTOCOL } from "@belay/protocol";
import type { Session, Target, Watcher } from "./target.ts";
import { openViewerSocket } from "./viewer-socket.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/agent-gateway/bin/belay.mjs", import.meta.url));
const ADMIN = { email: "bench@belay.test", password: "correct horse battery" };

export interface BelayServer extends Target {
  url: string;
  /** Of the admin's session. */
  cookie: string;
  dataDir: string;
  gatewayPid: number;
  /** From the start of the process until it serves requests. */
  readyAfterMs: number;
  hostPid(): number;
  /** Calls a procedure as an admin. */
  call<Result>(procedure: string, input: unknown): Promise<Result>;
  /** Calls a query as an admin. */
  query<Result>(procedure: string, input: unknown): Promise<Result>;
  addAgent(name: string, profile: string): Promise<string>;
  /** A terminal, on another machine if one is named. */
  open(on?: { machine?: string }): Promise<Session>;
}

/**
 * The built gateway with its host, used as a browser would. It gets a data folder of its own, which is
 * deleted afterwards, unless one is given.
 */
export async function startBelay(given: { dataDir?: string; env?: Record<string, string> } = {}): Promise<BelayServer> {
  const dataDir = given.dataDir ?? mkdtempSync(join(tmpdir(), "belay-bench-"));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "start"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: dataDir,
      LANG: "C.UTF-8",
      BELAY_DATA_DIR: dataDir,
      BELAY_PORT: "0",
      BELAY_WORKSPACE: tmpdir(),
      BELAY_ADMIN_EMAIL: ADMIN.email,
      BELAY_ADMIN_PASSWORD: ADMIN.password,
      ...given.env,
    },
  });
  const url = await readyAddress(child);
  const readyAfterMs = performance.now() - startedAt;
  const cookie = await signIn(url);
  const call = <Result>(procedure: string, input: unknown): Promise<Result> =>
    ask(procedure, `/trpc/${procedure}`, { method: "POST", body: JSON.stringify(input) });
  const query = <Result>(procedure: string, input: unknown): Promise<Result> =>
    ask(procedure, `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {});
  const ask = async <Result>(procedure: string, path: string, init: RequestInit): Promise<Result> => {
    const headers = { cookie, origin: url, "content-type": "application/json" };
    const response = await fetch(url + path, { ...init, headers });
    const body = (await response.json()) as { result?: { data: Result }; error?: { message: string } };
    if (!body.result) throw new Error(`${procedure}: ${body.error?.message ?? response.status}`);
    return body.result.data;
  };
  return {
    name: "Belay",
    url,
    cookie,
    dataDir,
    gatewayPid: child.pid ?? 0,
    readyAfterMs,
    hostPid: () => hostPid(dataDir),
    call,
    query,
    pids: () => [child.pid ?? 0, hostPid(dataDir)],
    addAgent: async (name, profile) => (await call<{ token: string }>("agents.add", { name, profile })).token,
    open: async ({ machine } = {}) => {
      const { id } = await call<{ id: string }>("terminals.spawn", { cols: 80, rows: 24, machine });
      const viewer = await attach(url, cookie, id);
      const session: Session = {
        onBytes: viewer.onBytes,
        get missedBytes() {
          return viewer.missedBytes;
        },
        type: viewer.type,
        watch: () => attach(url, cookie, id),
        close: async () => {
          viewer.close();
          await call("terminals.kill", { id });
        },
      };
      return session;
    },
    close: async () => {
      child.kill("SIGTERM");
      await once(child, "close");
      if (!given.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function readyAddress(child: ChildProcess): Promise<string> {
  let said = "";
  for (;;) {
    const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    said += chunk.toString();
    const found = /Belay is ready at (\S+)/.exec(said);
    if (found?.[1]) return found[1];
  }
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(ADMIN),
  });
  if (!response.ok) throw new Error(`Signing in failed: ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** The host is detached, so it is found by its command line. */
function hostPid(dataDir: string): number {
  const found = readdirSync("/proc").find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const argv = readCommandLine(pid);
    return argv.some((word) => word.endsWith("pty-host.js")) && argv.includes(dataDir);
  });
  if (found === undefined) throw new Error("The host of the terminals is not running.");
  return Number(found);
}

function readCommandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // it has ended
  }
}

/** A viewer that keeps up: it acknowledges every frame. */
export async function attach(
  url: string,
  cookie: string,
  id: string,
): Promise<Watcher & Pick<Session, "type"> & { attachedMs: number }> {
  let listener: (bytes: Uint8Array) => void = () => {};
  let channel = 0;
  let missedBytes = 0;
  let shown: { resolve: () => void; reject: (error: Error) => void } | null = null;
  const socket = await openViewerSocket({
    url: `${url.replace(/^http/, "ws")}/ws`,
    protocol: SUBPROTOCOL,
    headers: { cookie, origin: url },
    onMessage: (data, isBinary) => {
      if (!isBinary) {
        const frame = JSON.parse(data.toString()) as { type: string; channel?: number; message?: string };
        if (frame.type === "attached") channel = frame.channel ?? 0;
        if (frame.type === "error") shown?.reject(new Error(frame.message));
        return;
      }
      const frame = decodeServerFrame(data);
      if (frame.type === "gap") {
        missedBytes += frame.to - frame.from;
        return;
      }
      if (frame.type === "snapshot") {
        shown?.resolve();
        listener(frame.bytes);
        return;
      }
      socket.send(encodeClientFrame({ type: "ack", channel, position: frame.position + frame.bytes.byteLength }));
      listener(frame.bytes);
    },
  });
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    shown = { resolve, reject };
    socket.send(JSON.stringify({ type: "attach", id, from: "screen" }));
  });
  return {
    attachedMs: performance.now() - startedAt,
    get missedBytes() {
      return missedBytes;
    },
    onBytes: (next) => {
      listener = next;
    },
    type: (text) => socket.send(encodeClientFrame({ type: "input", channel, bytes: Buffer.from(text) })),
    stall: socket.stall,
    slowTo: socket.slowTo,
    close: socket.close,
  };
}
