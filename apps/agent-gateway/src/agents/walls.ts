import { accountStartEnv, behindWall, CoreError, planToWall, type Wall, type WallPlan, wallsDirOf } from "@belay/core";
import { frozenBehindWall, hostsOf, openingsOf } from "@belay/policy";
import type { Isolation, TerminalWall } from "@belay/protocol";
import type { Settings } from "../env.ts";
import { GatewayError } from "../errors.ts";
import type { Fleet } from "../machines/fleet.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { accountFor, isolationElsewhere, isolationOf } from "./isolation.ts";

type Subject = Pick<AgentRow, "id" | "isolation" | "profile" | "workspace">;

interface Deps {
  settings: Pick<Settings, "dataDir" | "securityFile" | "workspace">;
  policy: PolicyStore;
  fleet: Pick<Fleet, "hostOf">;
}

/** Determines which parts of a machine an agent's programs see, from the active policy. */
export class Walls {
  readonly #settings: Deps["settings"];
  readonly #policy: PolicyStore;
  readonly #fleet: Deps["fleet"];

  constructor({ settings, policy, fleet }: Deps) {
    this.#settings = settings;
    this.#policy = policy;
    this.#fleet = fleet;
  }

  /** On the gateway's own machine. Null if there is no wall. */
  of(agent: Subject): Wall | null {
    const { dataDir, securityFile, workspace } = this.#settings;
    const plan = this.#plan(agent, isolationOf(agent, this.#policy.settings), agent.workspace ?? workspace);
    return plan && planToWall(plan, { wallsDir: wallsDirOf(dataDir), hidden: [dataDir, securityFile] });
  }

  /** The same as people see it, without a look at the disk. */
  shown(agent: Subject): TerminalWall | null {
    return this.#plan(agent, isolationOf(agent, this.#policy.settings), "")?.shown ?? null;
  }

  /** The wall that a terminal on another machine gets, as people see it. Null if there is no wall. */
  shownElsewhere(agent: Subject): TerminalWall | null {
    return this.#plan(agent, isolationElsewhere(agent, this.#policy.settings), "")?.shown ?? null;
  }

  /** On another machine, which looks up its own paths. Throws if it cannot build the wall. */
  async elsewhere(
    agent: Subject & Pick<AgentRow, "name">,
    { machine, cwd: workspace }: { machine: string; cwd: string },
  ): Promise<Wall | null> {
    const isolation = isolationElsewhere(agent, this.#policy.settings);
    const plan = this.#plan(agent, isolation, workspace);
    if (!plan) return null;
    const refusal = (reason: string, fix: string) =>
      new GatewayError(
        "isolation-unavailable",
        `"${agent.name}" is to run in isolation (${isolation}), which the machine "${machine}" does not offer: ${reason} Nothing was started. ${fix}`,
      );
    const answer = await this.#fleet
      .hostOf({ machine })
      .wallFor(plan)
      .catch((error: unknown) => {
        if (!(error instanceof CoreError) || error.code !== "host-incompatible") throw error;
        throw refusal("It runs an older version of Belay.", "Install the gateway's version there.");
      });
    if (answer.status === "missing") throw refusal(answer.reason, `On that machine: ${answer.fix}`);
    return answer.wall;
  }

  /** The variables of Belay's own environment that its programs get. */
  environmentOf(agent: Subject & Pick<AgentRow, "name">, baseEnv: Record<string, string>): Record<string, string> {
    const wall = this.of(agent);
    if (wall) return behindWall(baseEnv, wall);
    const account = accountFor(agent, this.#policy.settings);
    return account ? accountStartEnv(baseEnv, account) : baseEnv;
  }

  #plan({ id: agentId }: Subject, isolation: Isolation, workspace: string): WallPlan | null {
    if (isolation === "none") return null;
    const { settings } = this.#policy;
    const { readable, writable, env, ...container } = settings.container;
    const lets = isolation === "container" ? { readable, writable, env } : settings.sandbox;
    const { image } = container;
    const { frozen, reserved } = frozenBehindWall(settings.protectedPaths);
    return {
      shown: { isolation, network: settings.network.mode, opens: openingsOf(settings, isolation) },
      ...(isolation === "container" && image !== null && { container: { ...container, image } }),
      agentId,
      workspace,
      ...{ readable: lets.readable, writable: lets.writable, env: lets.env },
      ...{ frozen: [...frozen], reserved: [...reserved] },
      hosts: hostsOf(settings.network),
    };
  }
}
