import {
  type AgentNetworks,
  asAccountWithEnv,
  type Bubblewrap,
  type Containers,
  carriedEnv,
  defaultShellPath,
  type GitConfigs,
  type HeldLimits,
  type ResourceLimiter,
  type RunOnceResult,
  runOnce,
  type TerminalPool,
  type Wall,
  withLimits,
} from "@belay/core";
import type { Isolation } from "@belay/protocol";
import type { OnceAct } from "../commands/act.ts";
import { GatewayError } from "../errors.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { accountFor, isolationOf, providerFor } from "./isolation.ts";
import { resourceLimitsOf } from "./resource-limits.ts";
import { findTerminalNetwork } from "./terminal-network.ts";
import type { Walls } from "./walls.ts";

export interface OneShotRequest extends Omit<OnceAct, "type"> {
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  signal: AbortSignal;
  /** Unique to this run, and set in the environment, to find processes that left their group. */
  marker: string;
}

/** The control group of an ended container exists for another 50 to 80 ms. */
const LOOK_AT_CONTAINER_EVERY_MS = 15;

/** A way to run a program with pipes, to its end. */
export interface OneShotProvider {
  readonly isolation: Isolation;
  run(request: OneShotRequest): Promise<RunOnceResult>;
}

const local: OneShotProvider = {
  isolation: "none",
  run: (request) => run(request, argvOf(request)),
};

function argvOf({ program, env }: OneShotRequest): [string, ...string[]] {
  return program.type === "argv" ? program.argv : [defaultShellPath(env.PATH ?? ""), "-c", program.script];
}

function run({ program: _, stdin, ...request }: OneShotRequest, argv: [string, ...string[]]): Promise<RunOnceResult> {
  return runOnce({ ...request, argv, ...(stdin === null ? {} : { input: stdin }) });
}

/** The providers by name: `local`, and those of an embedding program. */
export class OneShotProviders {
  readonly #byName = new Map<string, OneShotProvider>([["local", local]]);
  readonly #policy: PolicyStore;
  readonly #walls: Walls;
  readonly #sandbox: Bubblewrap;
  readonly #containers: Containers;
  readonly #networks: AgentNetworks;
  readonly #terminals: Pick<TerminalPool, "list">;
  readonly #gitConfigs: GitConfigs;
  readonly #limits: ResourceLimiter;
  readonly #activeName: (agent: AgentRow) => string;

  constructor(deps: {
    policy: PolicyStore;
    walls: Walls;
    sandbox: Bubblewrap;
    containers: Containers;
    networks: AgentNetworks;
    terminals: Pick<TerminalPool, "list">;
    gitConfigs: GitConfigs;
    limits: ResourceLimiter;
    activeName: (agent: AgentRow) => string;
  }) {
    this.#policy = deps.policy;
    this.#walls = deps.walls;
    this.#sandbox = deps.sandbox;
    this.#containers = deps.containers;
    this.#networks = deps.networks;
    this.#terminals = deps.terminals;
    this.#gitConfigs = deps.gitConfigs;
    this.#limits = deps.limits;
    this.#activeName = deps.activeName;
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  register(name: string, provider: OneShotProvider): void {
    if (this.#byName.has(name)) throw new GatewayError("bad-request", `A provider "${name}" already exists.`);
    this.#byName.set(name, provider);
  }

  find(name: string): OneShotProvider {
    const found = this.#byName.get(name);
    if (found) return found;
    throw new GatewayError("provider-not-found", `No provider "${name}". There are: ${this.names.join(", ")}.`);
  }

  /** The provider that an agent uses; one that does not provide the required isolation is an error. */
  forAgent(agent: AgentRow): OneShotProvider {
    const provider = this.find(this.#activeName(agent));
    const wanted = isolationOf(agent, this.#policy.settings);
    if (provider === local) return wanted === "none" ? this.#withoutWall(agent) : this.#behindWall(agent);
    if (wanted === "none" || provider.isolation === wanted) return provider;
    throw new GatewayError(
      "isolation-unavailable",
      `"${agent.name}" is to run in isolation (${wanted}), and its provider offers ${provider.isolation}. Nothing was started.`,
    );
  }

  /** A terminal of an agent whose commands run elsewhere would run here, outside the place that was chosen for it. */
  requireTerminals(agent: AgentRow): void {
    const name = this.#activeName(agent);
    if (this.find(name) === local) return;
    throw new GatewayError(
      "bad-request",
      `The provider "${name}" runs commands to their end, and has no sessions. Use bash, or ask a person to set the provider to "local".`,
    );
  }

  #withoutWall(agent: AgentRow): OneShotProvider {
    const account = accountFor(agent, this.#policy.settings);
    return {
      isolation: "none",
      run: (given) =>
        this.#withinLimits(given, (request, { launch }) => {
          const argv = argvOf(request);
          if (!account) return run(request, withLimits(argv, launch));
          const asUser = withLimits(asAccountWithEnv(argv, account), launch);
          return run({ ...request, env: carriedEnv(request.env) }, asUser);
        }),
    };
  }

  #behindWall(agent: AgentRow): OneShotProvider {
    const wall = this.#walls.of(agent);
    const provider = providerFor(agent, this.#policy.settings);
    if (provider === "local" || !wall) return this.#withoutWall(agent);
    return {
      isolation: wall.shown.isolation,
      run: async (given) => {
        const own = { readable: [], writable: [] };
        const { cwd, marker } = given;
        const networkPid = await this.#enterNetwork(agent, marker, wall);
        this.#gitConfigs.enter(wall.writable[0] ?? cwd, marker);
        try {
          if (provider === "container") return await this.#inContainer(given, wall, networkPid);
          return await this.#withinLimits(given, async (request, { launch: limits }) => {
            const wish = { argv: argvOf(request), cwd, env: request.env, wall, own, networkPid, limits };
            const { argv, env, release } = this.#sandbox.wrap(wish);
            return run({ ...request, env }, argv).finally(release);
          });
        } finally {
          this.#networks.leave(marker);
          this.#gitConfigs.leave(marker);
        }
      },
    };
  }

  /** The process whose network a command joins: that of the agent's open terminals, or else one of its own. */
  async #enterNetwork(agent: AgentRow, marker: string, wall: Wall): Promise<number | undefined> {
    const shared = await findTerminalNetwork(this.#terminals, agent, wall);
    if (shared !== null) return shared;
    return wall.shown.network === "allowlist" ? this.#networks.enter(agent.id, marker, wall.hosts) : undefined;
  }

  /** The engine enforces the limits, and deletes its counters with the container: so they are read until then. */
  async #inContainer(given: OneShotRequest, wall: Wall, networkPid: number | undefined): Promise<RunOnceResult> {
    const resources = resourceLimitsOf(this.#policy.settings);
    const name = `belay-${given.marker}`;
    const stuck = new AbortController();
    const request = { ...given, signal: AbortSignal.any([given.signal, stuck.signal]) };
    const held = this.#limits.watch(given.marker, this.#containers.holdLimits(name, resources), {
      onStuck: () => stuck.abort(),
    });
    let limit: RunOnceResult["limit"] | null = null;
    const look = setInterval(() => {
      limit ??= held.takeReached({ exitCode: null });
    }, LOOK_AT_CONTAINER_EVERY_MS);
    const { argv, env, release } = this.#containers.wrap({
      ...request,
      argv: argvOf(request),
      name,
      env: { ...request.env, BELAY_TERMINAL: request.marker },
      wall,
      own: { readable: [], writable: [] },
      networkPid,
      resources,
      hasTerminal: false,
    });
    try {
      const result = await run({ ...request, env, cwd: "/" }, argv);
      limit ??= held.takeReached(result);
      return limit === null ? result : { ...result, limit };
    } finally {
      clearInterval(look);
      held.close();
      release();
    }
  }

  async #withinLimits(
    request: OneShotRequest,
    work: (request: OneShotRequest, held: HeldLimits) => Promise<RunOnceResult>,
  ): Promise<RunOnceResult> {
    const stuck = new AbortController();
    const onStuck = () => stuck.abort();
    const held = this.#limits.hold(request.marker, resourceLimitsOf(this.#policy.settings), { onStuck });
    try {
      const result = await work({ ...request, signal: AbortSignal.any([request.signal, stuck.signal]) }, held);
      const limit = held.takeReached(result);
      return limit === null ? result : { ...result, limit };
    } finally {
      held.close();
    }
  }
}
