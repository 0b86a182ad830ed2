import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type Socket } from "node:net";
import { RequestError, Server } from "proxy-chain";
import { type AddressKind, kindOfAddress } from "./addresses.ts";
import { type Destination, isListed, normalise } from "./hosts.ts";

export interface EgressProxyOptions {
  /** The current list of hosts that need no question. */
  hosts: () => readonly string[];
  /** Asks about any other; `fromPort` is the program's end of the connection. */
  ask: (destination: Destination & { kind: AddressKind }, fromPort: number) => Promise<boolean>;
}

/**
 * The only way out of a namespace: a proxy for HTTP, HTTPS and anything else over CONNECT, which knows hosts and ports.
 *
 * A name is resolved here, once, and the connection goes to the address that was checked: a name that resolves to this
 * machine, to a cloud's metadata or to a private network is not allowed by being on the list, only its address is.
 */
export class EgressProxy {
  readonly #server: Server;
  readonly #options: EgressProxyOptions;

  constructor(options: EgressProxyOptions) {
    this.#options = options;
    this.#server = new Server({
      prepareRequestFunction: async ({ hostname, port, request }) => {
        const addresses = await this.#resolve({ host: normalise(hostname), port }, request.socket.remotePort ?? 0);
        return { dnsLookup: pinnedTo(addresses) };
      },
    });
    // A failed connection is reported to the program; it is not an error here.
    this.#server.on("requestFailed", () => {});
    this.#server.on("tlsError", () => {});
  }

  /** Accepts a connection from the namespace. */
  accept(socket: Socket): void {
    this.#server.server.emit("connection", socket);
  }

  async close(): Promise<void> {
    await this.#server.close(true);
  }

  async #resolve(destination: Destination, fromPort: number): Promise<LookupAddress[]> {
    const { host, port } = destination;
    const isKnown = isListed(this.#options.hosts(), destination);
    const addresses = await lookup(host, { all: true }).catch(() => []);
    const kind = strictestKind(addresses);
    // The machine's own addresses only if the list has them by number: a name could resolve differently tomorrow.
    const mayPass = isKnown && (kind === "public" || isIP(host) !== 0);
    if (!mayPass && !(await this.#options.ask({ host, port, kind }, fromPort))) {
      throw answering(`Belay: this sandbox may not connect to ${host}:${port}.\n`, 403);
    }
    if (addresses.length === 0) throw answering(`Belay: there is no address for ${host}.\n`, 502);
    return addresses;
  }
}

/** The proxy knows its own errors by this name, which a bundler changes. */
function answering(message: string, status: number): RequestError {
  return Object.assign(new RequestError(message, status), { name: "RequestError" });
}

function strictestKind(addresses: readonly LookupAddress[]): AddressKind {
  const kinds = addresses.map(({ address }) => kindOfAddress(address));
  return (["own", "private"] as const).find((kind) => kinds.includes(kind)) ?? "public";
}

/** Replaces a second lookup, which could return something else. */
function pinnedTo(addresses: LookupAddress[]) {
  const [first = { address: "", family: 4 }] = addresses;
  const pinned = (
    _host: string,
    options: { all?: boolean },
    done: (error: null, found: string | LookupAddress[], family?: number) => void,
  ) => (options.all ? done(null, addresses) : done(null, first.address, first.family));
  return pinned as unknown as typeof import("node:dns").lookup;
}
