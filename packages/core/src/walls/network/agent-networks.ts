import type { AddressKind } from "./addresses.ts";
import { EgressProxy } from "./egress-proxy.ts";
import type { Destination } from "./hosts.ts";
import { NetworkNamespace, PROXY_PORT } from "./network-namespace.ts";
import { type Connecting, whoConnects } from "./who-connects.ts";

/** A program wants to connect to a host that is not listed. */
export interface AskedConnection extends Destination {
  kind: AddressKind;
  /** Null if it ended before it could be identified. */
  by: Connecting | null;
}

interface OpenNetwork {
  namespace: Promise<NetworkNamespace>;
  /** Null: it has no way out. */
  hosts: readonly string[] | null;
  members: Set<string>;
  /** Allowed connections, by process and destination: an allowed program may reconnect until it ends. */
  allowed: Set<string>;
  /** Several connections to one destination are one question. */
  asking: Map<string, Promise<boolean>>;
}

/** More than any program needs; above it the question is asked again. */
const MAX_REMEMBERED = 10_000;

/** The networks of agents behind a wall: one for each, so that its terminals reach each other's servers. */
export class AgentNetworks {
  readonly #open = new Map<string, OpenNetwork>();
  readonly #ask: (key: string, connection: AskedConnection) => Promise<boolean>;

  constructor(ask: (key: string, connection: AskedConnection) => Promise<boolean>) {
    this.#ask = ask;
  }

  /**
   * Returns the process whose network a member joins. The hosts apply to the whole network from now on. With null there
   * is no way out; that is a separate network, because programs in the other one keep their access.
   */
  async enter(agent: string, member: string, hosts: readonly string[] | null): Promise<number> {
    const key = hosts === null ? `${agent} without a way out` : agent;
    const found = this.#open.get(key) ?? this.#create(key, hosts);
    found.members.add(member);
    found.hosts = hosts;
    try {
      return (await found.namespace).pid;
    } catch (error) {
      this.leave(member);
      throw error;
    }
  }

  /** The process whose network a member has joined; null if it has not joined one. */
  async pidFor(member: string): Promise<number | null> {
    const found = [...this.#open.values()].find(({ members }) => members.has(member));
    return found ? (await found.namespace).pid : null;
  }

  /** Closes a namespace when its last member leaves. */
  leave(member: string): void {
    for (const [key, { members, namespace }] of this.#open) {
      if (!members.delete(member) || members.size > 0) continue;
      this.#open.delete(key);
      void namespace.then(
        (opened) => opened.close(),
        () => {},
      );
    }
  }

  close(): void {
    for (const { members } of [...this.#open.values()]) for (const member of [...members]) this.leave(member);
  }

  #create(key: string, hosts: readonly string[] | null): OpenNetwork {
    const open: OpenNetwork = {
      namespace: hosts === null ? NetworkNamespace.open({ hasWayOut: false }) : this.#openNamespace(key),
      hosts,
      members: new Set(),
      allowed: new Set(),
      asking: new Map(),
    };
    this.#open.set(key, open);
    return open;
  }

  async #openNamespace(key: string): Promise<NetworkNamespace> {
    const namespace = await NetworkNamespace.open({ hasWayOut: true });
    const proxy = new EgressProxy({
      hosts: () => this.#open.get(key)?.hosts ?? [],
      ask: (destination, fromPort) => this.#decide(key, destination, whoConnects(namespace.pid, fromPort, PROXY_PORT)),
    });
    namespace.server?.on("connection", (socket) => proxy.accept(socket));
    namespace.server?.on("close", () => void proxy.close().catch(() => {}));
    return namespace;
  }

  async #decide(
    key: string,
    destination: Destination & { kind: AddressKind },
    by: Connecting | null,
  ): Promise<boolean> {
    const open = this.#open.get(key);
    if (!open) return false;
    const name = `${by?.pid} ${destination.host}:${destination.port}`;
    if (open.allowed.has(name)) return true;
    const asking = open.asking.get(name) ?? this.#ask(key, { ...destination, by });
    open.asking.set(name, asking);
    try {
      const isAllowed = await asking;
      if (open.allowed.size > MAX_REMEMBERED) open.allowed.clear();
      if (isAllowed && by) open.allowed.add(name);
      return isAllowed;
    } catch {
      return false; // The gateway that should answer is gone.
    } finally {
      open.asking.delete(name);
    }
  }
}

/** The proxy variables, in all common spellings. */
export const PROXY_ENV: Record<string, string> = Object.fromEntries(
  Object.entries({
    HTTP_PROXY: `http://127.0.0.1:${PROXY_PORT}`,
    HTTPS_PROXY: `http://127.0.0.1:${PROXY_PORT}`,
    ALL_PROXY: `http://127.0.0.1:${PROXY_PORT}`,
    NO_PROXY: "localhost,127.0.0.1,::1",
  }).flatMap(([name, value]) => [
    [name, value],
    [name.toLowerCase(), value],
  ]),
);
// Node needs an extra variable to use them.
PROXY_ENV.NODE_USE_ENV_PROXY = "1";
