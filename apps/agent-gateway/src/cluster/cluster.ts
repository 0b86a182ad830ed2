import { randomBytes } from "node:crypto";
import type { AgentId } from "@belay/protocol";
import type { Logger } from "pino";
import type { Bus } from "../bus/bus.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import { VERSION } from "../version.ts";
import { Hearing } from "./hearing.ts";
import { type Peer, Presence } from "./presence.ts";
import { shareEvents } from "./share-events.ts";

/** What the other parts of this gateway do for the others. */
export interface ClusterParts {
  /** Reads the policy, answers and rights from the database again. */
  readAgain: () => Promise<void>;
  /** Closes connections whose session, role or token ended while the other gateways were not heard. */
  recheckAccess: () => void;
  /** Whether a terminal, a recording or a waiting approval is here. */
  holds: (id: string) => Promise<boolean>;
  /** Ends the terminals of an agent here, and returns how many. */
  endTerminalsOf: (agentId: AgentId) => Promise<number>;
  /** How many terminals an agent has here. */
  countTerminalsOf: (agentId: AgentId) => Promise<number>;
  /** Agents that have terminals or waiting commands here. */
  agents: () => Promise<AgentId[]>;
  /** Machines that are connected here. */
  machines: () => string[];
  /** The approval that a message named; undefined if there is none. */
  findApproval: Parameters<typeof shareEvents>[0]["findApproval"];
  /** An approval of this gateway was answered at another one, or its deadline moved. */
  machineChanged: Parameters<typeof shareEvents>[0]["machineChanged"];
  approvalChanged: Parameters<typeof shareEvents>[0]["approvalChanged"];
}

/** A gateway as people see it. */
export interface GatewayView {
  id: string;
  name: string;
  version: string;
  startedAt: number;
  /** Why it judges nothing now; null if it does. */
  problem: string | null;
  /** Whether it is the one that answers. */
  isThis: boolean;
}

interface Deps {
  bus: Bus;
  name: string;
  /** Null: one gateway alone, which has nothing to wait for. */
  deafAfterMs: number | null;
  url: () => string;
  events: EventBus;
  now: () => number;
  log: Logger;
}

/** How long another gateway has to say that it has read a change. */
const READ_AGAIN_MS = 2000;
const HOLDS_MS = 2000;
const END_MS = 15_000;
const FIRST_HEARD_MS = 3000;

/** The gateways that share a database. A gateway without NATS is a cluster of one. */
export class Cluster {
  readonly self: string;
  /** Another one after every start, so that what was signed for an earlier one is no longer valid. */
  readonly boot = randomBytes(12).toString("base64url");
  readonly name: string;
  readonly #deps: Deps;
  readonly #startedAt: number;
  /** As told to the others last. */
  #agentsHere: ReadonlySet<AgentId> = new Set();
  #presence: Presence | null = null;
  #hearing: Hearing | null = null;
  #stopEvents: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.self = deps.bus.self;
    this.name = deps.name;
    this.#startedAt = deps.now();
  }

  /** From now on other gateways are heard and answered. */
  open(parts: ClusterParts): void {
    const { bus, events, log, deafAfterMs } = this.#deps;
    if (deafAfterMs === null) return;
    const onChanged = () => events.publish({ type: "gateways" });
    bus.serve(async (question) => {
      if (question.type === "end-terminals")
        return { type: "ended", terminals: await parts.endTerminalsOf(question.agentId) };
      if (question.type === "count-terminals")
        return { type: "counted", terminals: await parts.countTerminalsOf(question.agentId) };
      if (question.type === "holds") return { type: "holds", holds: await parts.holds(question.id) };
      await parts.readAgain();
      return { type: "done" };
    });
    this.#stopEvents = shareEvents({ bus, events, log, ...parts });
    this.#presence = new Presence({
      bus,
      log,
      goneAfterMs: deafAfterMs,
      onChanged,
      describe: async () => {
        const agents = await parts.agents();
        this.#agentsHere = new Set(agents);
        return { ...this.#describe(), agents, machines: parts.machines() };
      },
    });
    this.#hearing = new Hearing({
      bus,
      log,
      deafAfterMs,
      catchUp: async () => {
        await parts.readAgain();
        parts.recheckAccess();
      },
      onChanged: () => {
        onChanged();
        void this.#presence?.tell();
      },
    });
  }

  #describe() {
    const { name, boot } = this;
    return {
      ...{ name, boot, version: VERSION, url: this.#deps.url(), startedAt: this.#startedAt },
      problem: this.problem(),
    };
  }

  /** Tells the others of this gateway, from now on. Called once it listens; returns once it hears the bus, or soon after. */
  async start(): Promise<void> {
    this.#presence?.start();
    await this.#hearing?.firstHeard(FIRST_HEARD_MS);
  }

  /** Other gateways pass nothing more on to this one. */
  leave(): void {
    this.#presence?.close();
  }

  /** Whether there can be others. */
  get isShared(): boolean {
    return this.#deps.deafAfterMs !== null;
  }

  /** Why this gateway judges nothing now; null if it does. */
  problem(): string | null {
    return this.#hearing?.problem() ?? null;
  }

  /** The other gateways. */
  peers(): Peer[] {
    return this.#presence?.list() ?? [];
  }

  /** All gateways, this one first, for people; empty if there can be no others. */
  list(): GatewayView[] {
    if (!this.isShared) return [];
    const { self: id, name } = this;
    const here = { id, name, version: VERSION, startedAt: this.#startedAt, problem: this.problem(), isThis: true };
    const others = this.peers().map(({ id, name, version, startedAt, problem }) => ({
      ...{ id, name, version, startedAt, problem },
      isThis: false,
    }));
    return [here, ...others];
  }

  /** What an admin should know of the others although this gateway works. */
  notices(): string[] {
    const others = this.list().filter(({ isThis }) => !isThis);
    const skewed = others.filter(({ version }) => version !== VERSION);
    return [
      ...skewed.map(
        ({ name, version }) =>
          `Gateway "${name}" runs Belay ${version}, and this one ${VERSION}. Update the older one.`,
      ),
      ...others.flatMap(({ name, problem }) => (problem === null ? [] : [`Gateway "${name}": ${problem}`])),
      ...(this.#deps.bus.hasRefusedLately()
        ? [
            "Messages arrive on NATS that no gateway with this BELAY_CLUSTER_SECRET has signed. Check that all gateways have the same, and who may use the NATS server.",
          ]
        : []),
    ];
  }

  /**
   * The other gateway that serves an agent: the one with its terminals or else, if it is to start on another machine, the one
   * that this machine has joined. Null if it is served here.
   */
  homeOf({ id, machine }: { id: AgentId; machine: string }): Peer | null {
    if (this.#agentsHere.has(id)) return null;
    return this.peers().find(({ agents }) => agents.includes(id)) ?? this.gatewayOf(machine);
  }

  /** The other gateway to which a machine is connected; null if there is none. */
  gatewayOf(machine: string): Peer | null {
    return this.peers().find(({ machines }) => machines.includes(machine)) ?? null;
  }

  /** Says what is here without waiting for the next heartbeat. */
  async tell(): Promise<void> {
    await this.#presence?.tell();
  }

  /**
   * Has every other gateway read the database again, and waits until they have.
   * Returns those that did not answer; they read it when they are heard again.
   */
  async readAgainEverywhere(): Promise<Peer[]> {
    const asked = this.peers().map(async (peer) => {
      const answer = await this.#deps.bus.ask(peer.id, { type: "read-again" }, READ_AGAIN_MS).catch(() => null);
      return answer?.type === "done" ? [] : [peer];
    });
    return (await Promise.all(asked)).flat();
  }

  /** Ends the terminals of an agent at the other gateways, and returns how many. */
  async endTerminalsElsewhere(agentId: AgentId): Promise<number> {
    const ended = this.peers().map(async ({ id, name }) => {
      const answer = await this.#deps.bus.ask(id, { type: "end-terminals", agentId }, END_MS).catch(() => null);
      if (answer?.type === "ended") return answer.terminals;
      throw new GatewayError(
        "gateway-elsewhere",
        `Gateway "${name}" did not confirm that it ended the agent's terminals there. Try again.`,
      );
    });
    return (await Promise.all(ended)).reduce((sum, terminals) => sum + terminals, 0);
  }

  /**
   * How many terminals an agent has at the other gateways. It is served by one of them, but its first calls may reach two in the
   * same moment. A gateway that does not answer counts as having none.
   */
  async countTerminalsElsewhere(agentId: AgentId): Promise<number> {
    const counted = this.peers()
      .filter(({ agents }) => agents.includes(agentId))
      .map(async ({ id }) => {
        const answer = await this.#deps.bus.ask(id, { type: "count-terminals", agentId }, HOLDS_MS).catch(() => null);
        return answer?.type === "counted" ? answer.terminals : 0;
      });
    return (await Promise.all(counted)).reduce((sum, terminals) => sum + terminals, 0);
  }

  /** The other gateway that holds a terminal, a recording or a waiting approval; null if none says so. */
  async holderOf(id: string): Promise<Peer | null> {
    const asked = this.peers().map(async (peer) => {
      const answer = await this.#deps.bus.ask(peer.id, { type: "holds", id }, HOLDS_MS);
      if (answer.type !== "holds" || !answer.holds) throw new Error("It is not there.");
      return peer;
    });
    // The first yes counts; a gateway that does not answer holds up only what no other one has.
    return Promise.any(asked).catch(() => null);
  }

  async close(): Promise<void> {
    this.#stopEvents();
    this.#hearing?.close();
    await this.#deps.bus.close();
  }
}
