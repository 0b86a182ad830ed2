import type { IncomingHttpHeaders } from "node:http";
import type { Peer } from "../../cluster/presence.ts";
import type { RelaySeal } from "../../cluster/relay-seal.ts";
import type { Gateway } from "../../gateway.ts";
import type { MachineView } from "../../machines/machines.ts";
import type { Caller } from "../../people/caller.ts";
import type { Replays } from "../../recordings/replays.ts";
import { Relay } from "./relay.ts";

/** Calls about an approval that only the gateway whose command waits can answer. All others read the database. */
const NEEDS_WAITING_COMMAND = new Set(
  "decide judgeEdit preview startPreview previewDiff file outcome".split(" ").map((name) => `approvals.${name}`),
);

/** Lists of what each gateway holds, which are put together for people. */
const MERGED: Record<string, (here: unknown, there: unknown) => unknown> = {
  "terminals.list": (here, there) => [...(here as unknown[]), ...(there as unknown[])],
  "terminals.miniatures": (here, there) => [...(here as unknown[]), ...(there as unknown[])],
  "recordings.list": (here, there) => [...(here as unknown[]), ...(there as unknown[])],
  "recordings.page": mergePages,
  "machines.list": mergeMachines,
};

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
    const machine = path === "terminals.spawn" ? (input as { machine?: unknown } | null)?.machine : undefined;
    return typeof machine === "string" ? this.#gateway.cluster.gatewayOf(machine) : null;
  }

  /** The answer of this gateway with those of the others. One that does not answer is left out; the health page names it. */
  async everywhere(here: unknown, { path, type, caller, getInput }: Call): Promise<unknown> {
    const merge = MERGED[path];
    if (!merge || type !== "query" || caller.type !== "person") return here;
    const input = await getInput();
    const { cluster, log } = this.#gateway;
    const answers = await Promise.all(
      cluster.peers().map((peer) =>
        this.#relay.call(peer, path, input, caller).catch((error: unknown) => {
          log.warn({ err: error, gateway: peer.name }, "a list lacks what another gateway holds");
          return null;
        }),
      ),
    );
    return answers.reduce((all, there) => (there === null ? all : merge(all, there)), here);
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

/** Every gateway knows all machines; only the one that a machine has joined knows how it is. */
function mergeMachines(one: unknown, other: unknown): MachineView[] {
  const there = new Map((other as MachineView[]).map((machine) => [machine.name, machine]));
  return (one as MachineView[]).map((machine) => {
    const elsewhere = there.get(machine.name);
    return elsewhere && elsewhere.load !== null ? elsewhere : machine;
  });
}

type Page = Awaited<ReturnType<Replays["list"]>>;

/** Each gateway's part of the page, newest first: all pages together have every recording once. */
function mergePages(one: unknown, other: unknown): Page {
  const [here, there] = [one as Page, other as Page];
  return {
    recordings: [...here.recordings, ...there.recordings].sort((a, b) => b.startedAt - a.startedAt),
    total: here.total + there.total,
    bytes: here.bytes + there.bytes,
  };
}
