import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { TerminalId } from "@belay/protocol";
import type { RelaySeal } from "../../cluster/relay-seal.ts";
import type { Gateway } from "../../gateway.ts";
import { machinesOf } from "../../machines/own-machine.ts";
import type { Caller } from "../../people/caller.ts";
import { identify } from "../http/identify.ts";
import { Relay } from "./relay.ts";

/** Where agents send their calls. */
const IS_AGENT_CALL = /^\/(?:mcp|trpc|pty|hooks)\b/;

/** Whole requests and sockets that belong to another gateway. */
export class RelayRequests {
  readonly #gateway: Gateway;
  readonly #relay: Relay;

  constructor(gateway: Gateway, relaySeal: RelaySeal) {
    this.#gateway = gateway;
    this.#relay = new Relay({ ...gateway, relaySeal });
  }

  /**
   * How to pass a request on; null if it stays here. An agent's calls go where its terminals are, whichever gateway the load
   * balancer chose, so that its shells, limits and waiting commands are in one place.
   */
  async find(request: IncomingMessage): Promise<((response: ServerResponse) => Promise<void>) | null> {
    const { cluster } = this.#gateway;
    const download = /^\/api\/recordings\/(pty-[0-9a-z]+)\./.exec(request.url ?? "")?.[1];
    if (download !== undefined) return this.#passDownload(request, download);
    const isAgentCall = request.headers.authorization !== undefined && IS_AGENT_CALL.test(request.url ?? "");
    if (!isAgentCall || cluster.peers().length === 0) return null;
    const caller = await identify(request.headers, this.#gateway);
    const home =
      caller.type === "agent" ? cluster.homeOf({ id: caller.agent.id, machine: machinesOf(caller.agent)[0] }) : null;
    return home && ((response) => this.#relay.pass(home, request, response, caller));
  }

  async #passDownload(request: IncomingMessage, id: string) {
    const holder = await this.#relay.holderOf(id, (held) => this.#gateway.holdsHere(held));
    if (!holder) return null;
    const caller = await identify(request.headers, this.#gateway);
    return (response: ServerResponse) => this.#relay.pass(holder, request, response, caller);
  }

  /** Passes the socket of a viewer on to the gateway with its terminal (`/ws?terminal=…`). False if it stays here. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): Promise<boolean> {
    const id = TerminalId.safeParse(new URL(request.url ?? "", "http://belay").searchParams.get("terminal"));
    const peer = id.success ? await this.#relay.holderOf(id.data, (held) => this.#gateway.holdsHere(held)) : null;
    if (peer) this.#relay.upgrade(peer, request, socket, head, caller);
    return peer !== null;
  }
}
