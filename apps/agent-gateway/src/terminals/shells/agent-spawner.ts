import type { SpawnRequest, TerminalPool } from "@belay/core";
import type { AgentId, TerminalInfo } from "@belay/protocol";
import { accountFor, isolationElsewhere, PROVIDERS, providerFor } from "../../agents/isolation.ts";
import { resourceLimitsOf } from "../../agents/resource-limits.ts";
import type { Walls } from "../../agents/walls.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import { GatewayError } from "../../errors.ts";
import { OWN_MACHINE } from "../../machines/own-machine.ts";
import type { Places } from "../../machines/places.ts";
import type { PolicyStore } from "../../policy/policy-store.ts";
import type { Db } from "../../store/database.ts";
import { type AgentRow, findAgent } from "../../store/tables/agents.ts";
import { NO_PAGERS } from "./pagers.ts";

/** Starts terminals for agents, with their isolation and within their limits. */
export class AgentSpawner {
  readonly #terminals: TerminalPool;
  readonly #policy: PolicyStore;
  readonly #walls: Walls;
  readonly #places: Places;
  readonly #db: Db;
  readonly #countElsewhere: (agentId: AgentId) => Promise<number>;

  constructor(deps: {
    terminals: TerminalPool;
    policy: PolicyStore;
    walls: Walls;
    places: Places;
    db: Db;
    cluster: Pick<Cluster, "countTerminalsElsewhere">;
  }) {
    this.#countElsewhere = (agentId) => deps.cluster.countTerminalsElsewhere(agentId);
    this.#places = deps.places;
    this.#walls = deps.walls;
    this.#terminals = deps.terminals;
    this.#policy = deps.policy;
    this.#db = deps.db;
  }

  /** `workspace` is that of the conversation. */
  async spawn(
    { id: agentId, workspace }: Pick<AgentRow, "id" | "workspace">,
    request: Omit<SpawnRequest, "provider" | "wall" | "account" | "resources" | "agentId">,
  ): Promise<TerminalInfo> {
    const agent = await findAgent(this.#db, agentId);
    if (!agent) throw new GatewayError("agent-not-found", `No agent "${agentId}".`);
    const { machine, cwd } = this.#places.startOf(agent, request.machine ?? OWN_MACHINE);
    const isolated =
      machine === undefined
        ? this.#isolatedHere({ ...agent, workspace })
        : await this.#isolatedElsewhere(agent, { machine, cwd });
    const maxTerminals = agent.maxTerminals ?? this.#policy.settings.limits.terminalsPerAgent;
    const here = (await this.#terminals.list()).filter((terminal) => terminal.agentId === agentId).length;
    const elsewhere = await this.#countElsewhere(agentId);
    if (here + elsewhere >= maxTerminals) {
      throw new GatewayError(
        "too-many-terminals",
        `This agent has ${here + elsewhere} terminals open, which is all it may have. End one that is done, and try again.`,
      );
    }
    const env = { ...(this.#policy.settings.pagers ? {} : NO_PAGERS), ...request.env };
    // The pool checks the limit again when it starts one, because several calls may get here at once.
    return this.#terminals.spawn({
      ...request,
      ...(machine !== undefined && { machine }),
      env,
      agentId,
      ...isolated,
      resources: resourceLimitsOf(this.#policy.settings),
      maxOpenOfAgent: maxTerminals - elsewhere,
    });
  }

  #isolatedHere(agent: AgentRow): Isolated {
    const provider = providerFor(agent, this.#policy.settings);
    const wall = this.#walls.of(agent);
    const account = accountFor(agent, this.#policy.settings);
    return { provider, ...(wall && { wall }), ...(account && { account }) };
  }

  async #isolatedElsewhere(agent: AgentRow, place: { machine: string; cwd: string }): Promise<Isolated> {
    const { settings } = this.#policy;
    const isolation = isolationElsewhere(agent, settings);
    if (isolation === "none" && settings.runAs !== null) throw noUserThere(agent.name, place.machine, settings.runAs);
    const wall = await this.#walls.elsewhere(agent, place);
    return { provider: PROVIDERS[isolation], ...(wall && { wall }) };
  }
}

type Isolated = Pick<SpawnRequest, "provider" | "wall" | "account">;

/** Users are looked up on the gateway's own machine: elsewhere it would be another user of the same name. */
function noUserThere(name: string, machine: string, runAs: string): GatewayError {
  return new GatewayError(
    "isolation-unavailable",
    `"${name}" runs as the user "${runAs}", which is not possible on other machines, so nothing was started on "${machine}". ` +
      'Give the agent a wall (sandbox), or start Belay on that machine as a user with few rights and remove "runAs" from security.json.',
  );
}
