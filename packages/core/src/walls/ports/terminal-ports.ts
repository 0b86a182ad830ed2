import { join } from "node:path";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import type { ListeningPort, OpenedPort } from "../../pool/requests.ts";
import type { AgentNetworks } from "../network/agent-networks.ts";
import { enterNamespaceArgs } from "../network/network-namespace.ts";
import { type Listening, listeningBelow, networkOf } from "./listening.ts";
import { PortRelay } from "./port-relay.ts";

/** A terminal, and the process that is the ancestor of all its programs. */
interface Place {
  info: TerminalInfo;
  isOpen: boolean;
  leaderPid: number;
}

/** Finds the ports that programs in terminals listen on, and opens access to them from outside their wall. */
export class TerminalPorts {
  readonly #folder: string;
  readonly #networks: AgentNetworks;
  readonly #relays = new Map<TerminalId, PortRelay>();

  /** `folder` is Belay's own, for the sockets that lead to ports. */
  constructor(options: { folder: string; networks: AgentNetworks }) {
    this.#folder = options.folder;
    this.#networks = options.networks;
  }

  async list(place: Place): Promise<ListeningPort[]> {
    const found = listeningBelow(place.leaderPid);
    return Promise.all(
      found.map(async (listening) => {
        const way = await this.#wayTo(place.info, listening);
        return {
          port: listening.port,
          program: listening.program,
          closedBecause: typeof way === "string" ? way : null,
        };
      }),
    );
  }

  /** Only for a port on which a program of this terminal listens now. */
  async open(place: Place, port: number): Promise<OpenedPort> {
    const { id } = place.info;
    const listening = listeningBelow(place.leaderPid).find((found) => found.port === port);
    if (!listening) {
      throw new CoreError("port-not-reachable", `No program of terminal "${id}" listens on port ${port} any more.`);
    }
    const enter = await this.#wayTo(place.info, listening);
    if (typeof enter === "string") throw new CoreError("port-not-reachable", enter);
    if (!place.isOpen) throw new CoreError("terminal-closed", `Terminal "${id}" has closed meanwhile.`);
    const folder = join(this.#folder, id);
    let relay = this.#relays.get(id);
    if (!relay || relay.hasEnded) {
      relay?.close();
      relay = PortRelay.open({ folder, enter });
      this.#relays.set(id, relay);
    }
    return { folder, socket: join(folder, await relay.socketFor(port)), program: listening.program };
  }

  /** The terminal has closed. */
  leave(id: TerminalId): void {
    this.#relays.get(id)?.close();
    this.#relays.delete(id);
  }

  close(): void {
    for (const id of [...this.#relays.keys()]) this.leave(id);
  }

  /** How to enter its network, or why that is not possible. */
  async #wayTo({ id, wall }: TerminalInfo, { pid, port, network }: Listening): Promise<string[] | string> {
    if (network === networkOf(process.pid)) {
      return `It listens on this machine’s own network: open http://localhost:${port} on the machine itself.`;
    }
    const holder = await this.#networks.pidFor(id).catch(() => null);
    if (holder !== null && networkOf(holder) === network) return enterNamespaceArgs(holder);
    if (wall?.isolation === "container" && process.getuid?.() === 0) return ["--target", String(pid), "--net"];
    return "Only as root can Belay enter the network of this container.";
  }
}
