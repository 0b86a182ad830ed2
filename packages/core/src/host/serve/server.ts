import { timingSafeEqual } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { TerminalHost } from "../terminal-host.ts";
import { type HostEndpoint, openSocketPath } from "../wire/endpoint.ts";
import {
  ClientMessage,
  commonVersion,
  type HostMessage,
  type Surroundings,
  type VersionRange,
} from "../wire/messages.ts";
import { Wire } from "../wire/wire.ts";
import { Session } from "./session.ts";
import { StallWatch } from "./stall-watch.ts";

/** A client has to identify itself within this time. */
const GREETING_TIMEOUT_MS = 5_000;

export interface HostServerOptions {
  host: TerminalHost;
  endpoint: HostEndpoint;
  /** The token that a client must present. */
  token: string;
  /** Identifies this host uniquely. */
  hostId: string;
  /** Name and version, for people who read about it. */
  program: string;
  protocol: VersionRange;
  /** A gateway connected, with the environment for new terminals. */
  onSurroundings: (surroundings: Surroundings) => Promise<void>;
  onClientsChanged: (count: number) => void;
  /** A gateway ended every terminal, and the host is no longer needed. */
  onClosed: () => void;
}

export interface HostServer {
  /** Listens on a new socket if the old one was removed. Connections stay. */
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a host on its socket. The caller holds the lock: an existing socket is from a host that was killed. */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const sockets = new Set<Socket>();
  const stalls = new StallWatch();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    options.onClientsChanged(sockets.size);
    socket.once("close", () => {
      sockets.delete(socket);
      options.onClientsChanged(sockets.size);
    });
    greet(socket, stalls, options);
  };
  let listener = await listen(options.endpoint, accept);
  return {
    listenAgain: async () => {
      // First, since closing a listener removes the file at its socket's path.
      void listener.stop();
      listener = await listen(options.endpoint, accept);
    },
    close: async () => {
      stalls.stop();
      for (const socket of sockets) socket.destroySoon();
      await listener.stop();
    },
  };
}

async function listen(endpoint: HostEndpoint, accept: (socket: Socket) => void): Promise<{ stop(): Promise<void> }> {
  const server = createServer(accept);
  await rm(endpoint.socket, { force: true });
  const { path, release } = openSocketPath(endpoint);
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  } catch (error) {
    release();
    throw error;
  } finally {
    process.umask(umask);
  }
  await chmod(endpoint.socket, 0o600);
  return {
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      release();
      await closed;
    },
  };
}

/** Serves nothing before the greeting, and nothing at all after a wrong one. */
function greet(socket: Socket, stalls: StallWatch, options: HostServerOptions): void {
  const { host, token, protocol, hostId, program } = options;
  const about = { protocol, hostId, program, pid: process.pid };
  const timer = setTimeout(() => socket.destroy(), GREETING_TIMEOUT_MS);
  let session: Session | null = null;
  let isGreeted = false;
  const wire = new Wire<ClientMessage, HostMessage>(socket, ClientMessage, {
    onMessage: (message, bytes) => {
      if (session) session.receive(message, bytes);
      else if (isGreeted || message.type !== "hello") wire.destroy();
      else {
        isGreeted = true;
        clearTimeout(timer);
        void welcome(message).catch(() => wire.destroy());
      }
    },
    onOutput: () => wire.destroy(),
    onClose: () => {
      clearTimeout(timer);
      session?.close();
    },
  });

  async function welcome(hello: Extract<ClientMessage, { type: "hello" }>): Promise<void> {
    const isKnown = isSame(hello.token, token);
    const version = commonVersion(protocol, hello.protocol);
    const terminals = await host.terminals.list();
    if (!isKnown || version === null) {
      const reason = isKnown ? "version" : "token";
      wire.send({ type: "refused", reason, ...about, openTerminals: isKnown ? terminals.length : 0 });
      wire.end();
      return;
    }
    await options.onSurroundings(hello.surroundings);
    // Subscribed to events before it gets the list, so that none is lost in between.
    session = new Session(wire, { host, stalls, onClosed: options.onClosed });
    wire.send({ type: "welcome", version, ...about, terminals: await host.terminals.list() });
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
