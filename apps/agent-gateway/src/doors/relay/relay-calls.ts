import type { IncomingHttpHeaders } from "node:http";
import type { Peer } from "../../cluster/presence.ts";
import type { RelaySeal } from "../../cluster/relay-seal.ts";
import type { Gateway } from "../../gateway.ts";
import type { Caller } from "../../people/caller.ts";
import { MERGED } from "./merge-answers.ts";
import { Relay } from "./relay.ts";

/** Calls about an approval that only the gateway whose command waits can answer. All others read the database. */
const NEEDS_WAITING_COMMAND = new Set(
  "decide judgeEdit preview startPreview previewDiff file outcome".split(" ").map((name) => `approvals.${name}`),
);

interface Call {
  path: string;
  type: "query" | "mutation" | "subscription";
  caller: Caller;
  getInput: () => Promise<unknown>;
}

const made = new WeakMap<Gateway, RelayCalls>();

/** Null if the call is to run here in any case: there are no other gateways, or one of them has passed it on. */
export function relayCallsOf(gateway: Gateway, headers: IncomingHttpHeaders): RelayCalls | null {
  const { relaySeal, cluster } = gateway;
  if (!relaySeal || cluster.peers().length === 0 || relaySeal.read(headers)) return null;
  const calls = made.get(gateway) ?? new RelayCalls(gateway, relaySeal);
  made.set(gateway, calls);
  return calls;
}

/** Runs a call where it belongs: here, at the gateway that holds what it is about, or at all of them. */
class RelayCalls {
  readonly #gateway: Gateway;
  readonly #relay: Relay;

  constructor(gateway: Gateway, relaySeal: RelaySeal) {
    this.#gateway = gateway;
    this.#relay = new Relay({ ...gateway, relaySeal });
  }

  /** The answer of the gateway that holds what the call is about; null if that is this one. */
  async elsewhere({ path, type, caller, getInput }: Call): Promise<{ data: unknown } | null> {
    if (type === "subscription") return null;
    if (caller.type !== "person" && caller.type !== "agent") return null;
    const input = await getInput();
    const peer = await this.#holderOf(path, input);
    return peer && { data: await this.#relay.call(peer, path, input, caller) };
  }

  async #holderOf(path: string, input: unknown): Promise<Peer | null> {
    const id = idIn(path, input);
    if (id !== null) return this.#relay.holderOf(id, (held) => this.#gateway.holdsHere(held));
    const { cluster } = this.#gateway;
    const { machine, gateway } = (input ?? {}) as { machine?: unknown; gateway?: unknown };
    if (path === "trash.restore") return cluster.peers().find((peer) => peer.id === gateway) ?? null;
    return path === "terminals.spawn" && typeof machine === "string" ? cluster.gatewayOf(machine) : null;
  }

  /**
   * The answer of this gateway with those of the others. From lists, one that does not answer is left out; the health
   * page names it. Where something changes, its failure is the answer, once the others are done.
   */
  async everywhere(here: unknown, { path, caller, getInput }: Call): Promise<unknown> {
    const merged = MERGED[path];
    if (!merged || caller.type !== "person") return here;
    const input = await getInput();
    const { cluster, log } = this.#gateway;
    const peers = cluster.peers();
    const answers = await Promise.allSettled(peers.map((peer) => this.#relay.call(peer, path, input, caller)));
    const others = answers.flatMap((answer, index) => {
      const from = peers[index] ?? null;
      if (answer.status === "fulfilled") return [{ from, data: answer.value }];
      if (merged.needsAll) throw answer.reason;
      log.warn({ err: answer.reason, gateway: from?.name }, "a list lacks what another gateway holds");
      return [];
    });
    return merged.merge([{ from: null, data: here }, ...others]);
  }
}

/** The terminal or waiting approval that a call is about. */
function idIn(path: string, input: unknown): string | null {
  if (input === null || typeof input !== "object") return null;
  const { id, terminalId, commandId } = input as Record<string, unknown>;
  // The history of a workspace is on the disk of the gateway whose command changed it.
  if (path.startsWith("changes.")) return typeof commandId === "string" ? commandId : null;
  const named = [id, terminalId].find((value): value is string => typeof value === "string");
  if (named === undefined) return null;
  if (named.startsWith("pty-")) return named;
  return NEEDS_WAITING_COMMAND.has(path) ? named : null;
}
