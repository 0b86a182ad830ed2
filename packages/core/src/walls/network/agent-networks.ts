import { EgressProxy } from "./egress-proxy.ts";
import { NetworkNamespace, PROXY_PORT } from "./network-namespace.ts";
import { type AskedConnection, NetworkQuestions, viewOfNetwork } from "./network-questions.ts";

/** Asks about a connection out of an agent's network. `gone` is aborted when no program waits for the answer any more. */
export type AskForAgent = (agent: string, connection: AskedConnection, gone: AbortSignal) => Promise<boolean>;

interface OpenNetwork {
  namespace: Promise<NetworkNamespace>;
  /** Null: it has no way out. */
  hosts: readonly string[] | null;
  members: Set<string>;
}

/** The networks of agents behind a wall: one for each, so that its terminals reach each other's servers. */
export class AgentNetworks {
  readonly #open = new Map<string, OpenNetwork>();
  readonly #ask: AskForAgent;

  constructor(ask: AskForAgent) {
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
    };
    this.#open.set(key, open);
    return open;
  }

  async #openNamespace(key: string): Promise<NetworkNamespace> {
    const namespace = await NetworkNamespace.open({ hasWayOut: true });
    const questions = new NetworkQuestions(
      (connection, gone) => this.#ask(key, connection, gone),
      viewOfNetwork(namespace.pid),
    );
    const proxy = new EgressProxy({
      hosts: () => this.#open.get(key)?.hosts ?? [],
      ask: (destination, fromPort) => questions.mayConnect(destination, fromPort),
    });
    namespace.server?.on("connection", (socket) => proxy.accept(socket));
    namespace.server?.on("close", () => void proxy.close().catch(() => {}));
    return namespace;
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
