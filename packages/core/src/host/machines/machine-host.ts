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
        }
      }
    },
    launch: async () => {},
    now,
    onProblem,
    machine: {
      away,
      known,
      onConnected: ({ hostId }) => options.onConnected(hostId),
      onDisconnected: options.onDisconnected,
    },
  });
  return {
    host: hostBehind(link),
    get isConnected() {
      return link.isLive;
    },
    connected: (socket) => {
      arrivals.add(socket);
    },
    known: () => link.allKnown(),
    lastKnown: (id) => link.lastKnown(id),
    giveUp: () => link.giveUp(),
    away,
  };
}

/** The connections that a machine makes: a new one replaces the one before it. */
class Arrivals {
  #newest: OpenedSocket | null = null;
  #isUsed = false;
  #wake: (() => void) | null = null;

  add(opened: OpenedSocket): void {
    this.#newest?.socket.destroy();
    this.#newest = opened;
    this.#isUsed = false;
    this.#wake?.();
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
