import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isSameSecret } from "../../secrets/same-secret.ts";
import type { TerminalHost } from "../terminal-host.ts";
import { type HostEndpoint, openSocketPath } from "../wire/endpoint.ts";
import { listenPrivately } from "../wire/listen-privately.ts";
import {
  ClientMessage,
  commonVersion,
  type HostMessage,
  type Surroundings,
  type VersionRange,
} from "../wire/messages.ts";
import { type Unseal, Wire, type WireEvents } from "../wire/wire.ts";
import { HostClient } from "./host-client.ts";
import { StallWatch } from "./stall-watch.ts";

/** A client that proved who it is before the first frame: it needs no token, and signs every message. */
export interface ProvedClient {
  socket: Duplex;
  unseal: Unseal;
  /** Called with every message: the client is alive. */
  onHeard: () => void;
}

/** A client has to identify itself within this time. */
const GREETING_TIMEOUT_MS = 5_000;

export interface HostServerOptions {
  host: TerminalHost;
  /** Null: the host has no socket, and serves only clients that are passed to `accept`. */
  endpoint: HostEndpoint | null;
  /** The token that a client must present. */
  token: string;
  /** Identifies this host uniquely. */
  hostId: string;
  /** Name and version, for messages to people. */
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
  /** Serves a client that did not connect through the socket. */
  accept(client: ProvedClient): void;
  close(): Promise<void>;
}

/** Serves a host on its socket. The caller holds the lock: an existing socket is from a host that was killed. */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const sockets = new Set<Duplex>();
  const stalls = new StallWatch();
  const hold = (socket: Duplex) => {
    sockets.add(socket);
    options.onClientsChanged(sockets.size);
    socket.once("close", () => {
      sockets.delete(socket);
      options.onClientsChanged(sockets.size);
    });
  };
  const accept = (socket: Socket) => {
    hold(socket);
    greet(socket, stalls, options, null);
  };
  const { endpoint } = options;
  let listener = endpoint && (await listen(endpoint, accept));
  return {
    listenAgain: async () => {
      if (!endpoint) return;
      // Stopped first, since closing a listener removes the file at its socket's path.
      void listener?.stop();
      listener = await listen(endpoint, accept);
    },
    accept: (client) => {
      hold(client.socket);
      greet(client.socket, stalls, options, client);
    },
    close: async () => {
      stalls.stop();
      for (const socket of sockets) socket.end(() => socket.destroy());
      await listener?.stop();
    },
  };
}

async function listen(endpoint: HostEndpoint, accept: (socket: Socket) => void): Promise<{ stop(): Promise<void> }> {
  const server = createServer(accept);
  await rm(endpoint.socket, { force: true });
  const { path, release } = openSocketPath(endpoint);
  try {
    await listenPrivately(server, path);
  } catch (error) {
    release();
    throw error;
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
function greet(socket: Duplex, stalls: StallWatch, options: HostServerOptions, proved: ProvedClient | null): void {
  const { host, token, protocol, hostId, program } = options;
  const about = { protocol, hostId, program, pid: process.pid };
  const timer = setTimeout(() => socket.destroy(), GREETING_TIMEOUT_MS);
  let client: HostClient | null = null;
  let isGreeted = false;
  const events: WireEvents<ClientMessage> = {
    onMessage: (message, bytes, isLate) => {
      proved?.onHeard();
      if (client) client.receive(message, bytes, isLate);
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
      client?.close();
    },
  };
  const wire = new Wire<ClientMessage, HostMessage>(socket, ClientMessage, events, { unseal: proved?.unseal });

  async function welcome(hello: Extract<ClientMessage, { type: "hello" }>): Promise<void> {
    const isKnown = proved !== null || isSameSecret(hello.token, token);
    const version = commonVersion(protocol, hello.protocol);
    const terminals = await host.terminals.list();
    if (!isKnown || version === null) {
      const reason = isKnown ? "version" : "token";
      wire.send({ type: "refused", reason, ...about, openTerminals: isKnown ? terminals.length : 0 });
      wire.end();
      return;
    }
    if (!proved) await options.onSurroundings(hello.surroundings);
    // Subscribed to events before it gets the list, so that none is lost in between.
    client = new HostClient(wire, { host, version, stalls, onClosed: options.onClosed });
    wire.send({ type: "welcome", version, ...about, terminals: await host.terminals.list() });
  }
}
