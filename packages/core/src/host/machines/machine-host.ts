import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import { hostBehind } from "../connect/client.ts";
import { type GreetOptions, greetHost, type HostConnection, type OpenedSocket } from "../connect/connection.ts";
import { HostLink } from "../connect/link.ts";
import type { TerminalHost } from "../terminal-host.ts";

export interface MachineHostOptions extends Omit<GreetOptions, "surroundings"> {
  name: string;
  /** What an earlier gateway knew about it. */
  known: { hostId: string; terminals: TerminalInfo[] } | null;
  now: () => number;
  onConnected: (hostId: string) => void;
  onDisconnected: () => void;
  onProblem: (error: Error) => void;
}

/** A host on another machine, which connects by itself whenever it can. */
export interface MachineHost {
  host: TerminalHost;
  readonly isConnected: boolean;
  /** It is connected, or its connection is being set up: then calls wait for that. */
  readonly isReachable: boolean;
  /** The machine has connected and proved itself. An earlier connection is replaced. */
  connected(socket: OpenedSocket): void;
  /** Open terminals in their last known state. */
  known(): TerminalInfo[];
  lastKnown(id: TerminalId): TerminalInfo | null;
  /** The machine was revoked: its terminals count as ended. */
  giveUp(): void;
  away(): CoreError;
}

/** The machine sets up its terminals' environment itself. */
const NO_SURROUNDINGS = { baseEnv: {}, trashDir: null, home: "/" };

export function awaitMachine(options: MachineHostOptions): MachineHost {
  const { name, known, now, onProblem } = options;
  const arrivals = new Arrivals();
  const away = () =>
    new CoreError(
      "machine-away",
      `The machine "${name}" is not connected, so nothing was done. Its terminals go on and are found again once it is. ` +
        "Wait for it, or use another machine.",
    );
  const link = HostLink.await({
    connect: async (events) => {
      for (;;) {
        const opened = await arrivals.next();
        let connection: HostConnection | null = null;
        const onHung = (error: CoreError) => {
          events.onHung(error);
          // The machine may be gone without having closed the connection. If it is not, it connects again.
          connection?.destroy();
        };
        try {
          connection = await greetHost(
            opened,
            { ...options, surroundings: NO_SURROUNDINGS, pid: null, readToken: async () => "" },
            { ...events, onHung },
          );
          return connection;
        } catch (error) {
          opened.socket.destroy();
          onProblem(error as Error);
          arrivals.settled();
        }
      }
    },
    launch: async () => {},
    now,
    onProblem,
    machine: {
      away,
      known,
      arriving: () => arrivals.arriving,
      onConnected: ({ hostId }) => {
        arrivals.settled();
        options.onConnected(hostId);
      },
      onDisconnected: () => {
        arrivals.settled();
        options.onDisconnected();
      },
    },
  });
  return {
    host: hostBehind(link),
    get isConnected() {
      return link.isLive;
    },
    get isReachable() {
      return link.isLive || arrivals.arriving !== null;
    },
    connected: (socket) => {
      arrivals.add(socket);
    },
    known: () => link.allKnown(),
    lastKnown: (id) => link.lastKnown(id),
    giveUp: () => {
      link.giveUp();
      arrivals.end();
    },
    away,
  };
}

/** The connections that a machine makes: a new one replaces the one before it. */
class Arrivals {
  #newest: OpenedSocket | null = null;
  #isUsed = false;
  #wake: (() => void) | null = null;
  #arriving: { over: Promise<void>; end: () => void } | null = null;

  /** Resolves once the newest connection carries calls, or has failed; null if there is nothing to wait for. */
  get arriving(): Promise<void> | null {
    return this.#arriving?.over ?? null;
  }

  add(opened: OpenedSocket): void {
    this.#newest?.socket.destroy();
    this.#newest = opened;
    this.#isUsed = false;
    this.#arriving ??= createArriving();
    this.#wake?.();
  }

  /** The connection that was used last carries calls, or has ended. A newer one may still be on its way. */
  settled(): void {
    if (!this.#isUsed) return;
    this.#arriving?.end();
    this.#arriving = null;
  }

  /** The machine may not connect any more. */
  end(): void {
    this.#newest?.socket.destroy();
  }

  async next(): Promise<OpenedSocket> {
    for (;;) {
      if (this.#newest && !this.#isUsed) {
        this.#isUsed = true;
        return this.#newest;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function createArriving(): { over: Promise<void>; end: () => void } {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
