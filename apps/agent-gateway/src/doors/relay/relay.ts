import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createProxyServer } from "httpxy";
import type { Logger } from "pino";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Peer } from "../../cluster/presence.ts";
import type { Relayed, RelaySeal } from "../../cluster/relay-seal.ts";
import { GatewayError } from "../../errors.ts";
import type { Caller } from "../../people/caller.ts";

/** How long another gateway has for a call; a command that a person must approve is answered sooner. */
const CALL_TIMEOUT_MS = 60_000;

/** The failure of a call at another gateway, as that one described it. */
export class RelayedFailure extends Error {
  override readonly name = "RelayedFailure";
  readonly code: string;
  readonly reason: string | null;

  constructor({ code, message, reason }: { code: string; message: string; reason: string | null }) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Passes requests on to the gateway that holds what they are about, directly from gateway to gateway. The receiver finds out
 * who the caller is and what they may do as for any other request; this gateway decides nothing.
 */
export class Relay {
  readonly #cluster: Cluster;
  readonly #seal: RelaySeal;
  readonly #log: Logger;
  readonly #proxy = createProxyServer({ xfwd: false, proxyTimeout: 0, timeout: 0 });

  constructor({ cluster, relaySeal, log }: { cluster: Cluster; relaySeal: RelaySeal; log: Logger }) {
    this.#cluster = cluster;
    this.#seal = relaySeal;
    this.#log = log;
  }

  /** A tRPC call at another gateway, for the same caller. */
  async call(peer: Peer, path: string, input: unknown, caller: Caller): Promise<unknown> {
    const relayed = relayedFor(caller);
    if (!relayed) throw elsewhere(peer);
    // Queries are posted too: their input may be too long for an address.
    const response = await fetch(`${peer.url}/trpc/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...this.#seal.headersFor(peer.boot, relayed) },
      body: JSON.stringify(input ?? null),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    }).catch((error: unknown) => {
      this.#log.warn({ err: error, gateway: peer.name }, "another gateway could not be reached");
      throw silent(peer);
    });
    const answer = (await response.json().catch(() => null)) as Answer | null;
    if (answer && "result" in answer) return answer.result.data;
    if (!answer || !("error" in answer)) throw silent(peer);
    const { message, data } = answer.error;
    throw new RelayedFailure({ message, code: data?.code ?? "INTERNAL_SERVER_ERROR", reason: data?.reason ?? null });
  }

  /** A whole request and its answer, which may be a stream. */
  async pass(peer: Peer, request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const headers = this.#seal.headersFor(peer.boot, relayedFor(caller) ?? { type: "own" });
    try {
      await this.#proxy.web(request, response, { target: peer.url, headers });
    } catch (error) {
      this.#log.warn({ err: error, gateway: peer.name }, "a request could not be passed on");
      if (!response.headersSent) {
        response.writeHead(503, { "content-type": "application/json", "retry-after": "5" });
        response.end(JSON.stringify({ message: silent(peer).message }));
      } else response.destroy();
    }
  }

  /** A socket, for as long as it is open. */
  upgrade(peer: Peer, request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void {
    if (!(socket instanceof Socket)) return void socket.destroy();
    const headers = this.#seal.headersFor(peer.boot, relayedFor(caller) ?? { type: "own" });
    this.#proxy.ws(request, socket, { target: peer.url, headers }, head).catch((error: unknown) => {
      this.#log.warn({ err: error, gateway: peer.name }, "a socket could not be passed on");
      socket.destroy();
    });
  }

  /** The other gateway that holds this, if it is not here. */
  async holderOf(id: string, isHere: (id: string) => Promise<boolean>): Promise<Peer | null> {
    if (this.#cluster.peers().length === 0 || (await isHere(id))) return null;
    return this.#cluster.holderOf(id);
  }
}

type Answer =
  | { result: { data: unknown } }
  | { error: { message: string; data?: { code?: string; reason?: string | null } } };

function relayedFor(caller: Caller): Relayed | null {
  if (caller.type === "person") return { type: "session", id: caller.session.id };
  return caller.type === "agent" ? { type: "agent", id: caller.agent.id } : null;
}

function silent({ name }: Peer): GatewayError {
  return new GatewayError(
    "gateway-elsewhere",
    `Gateway "${name}" holds this and does not answer now. Try again in a few seconds.`,
  );
}

function elsewhere({ name }: Peer): GatewayError {
  return new GatewayError(
    "gateway-elsewhere",
    `Gateway "${name}" holds this. Do it there, or as a signed-in person, whose requests are passed on.`,
  );
}
