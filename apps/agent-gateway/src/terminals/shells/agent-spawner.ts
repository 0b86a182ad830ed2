import type { SpawnRequest, TerminalPool } from "@belay/core";
import type { AgentId, TerminalInfo } from "@belay/protocol";
import { accountFor, providerFor } from "../../agents/isolation.ts";
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
    const provider = providerFor(agent, this.#policy.settings);
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
    const { machine } = this.#places.startOf(agent, request.machine ?? OWN_MACHINE);
    if (machine !== undefined) requireNoWall(agent.name, machine, { provider, runAs: this.#policy.settings.runAs });
    const wall = this.#walls.of({ ...agent, workspace });
    const account = accountFor(agent, this.#policy.settings);
    return this.#terminals.spawn({
      ...request,
      ...(machine !== undefined && { machine }),
      env,
      agentId,
      provider,
      ...(wall && { wall }),
      ...(account && { account }),
      resources: resourceLimitsOf(this.#policy.settings),
      maxOpenOfAgent: maxTerminals - elsewhere,
    });
  }
}

/** A wall is built from this machine's own folders and users: elsewhere there is none yet, and never silently. */
function requireNoWall(
  name: string,
  machine: string,
  { provider, runAs }: { provider: string; runAs: string | null },
): void {
  if (provider === "local" && runAs === null) return;
  const isolation = provider === "local" ? `runs as the user "${runAs}"` : `is isolated (${provider})`;
  throw new GatewayError(
    "isolation-unavailable",
    `"${name}" ${isolation}, which is not possible on other machines yet, so nothing was started on "${machine}". ` +
      'Let it use the gateway\'s own machine, or give it the isolation "none".',
  );
}
