import { type Bubblewrap, defaultShellPath, type Rooms, type RunOnceResult, runOnce } from "@belay/core";
import type { Isolation } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { isolationOf, providerFor } from "./isolation.ts";
import type { Walls } from "./walls.ts";

export interface OneShotRequest {
  program: { type: "argv"; argv: [string, ...string[]] } | { type: "script"; script: string };
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  stdin: string | null;
  timeoutMs: number;
  maxOutputBytes: number;
  signal: AbortSignal;
  /** Unique to this run, and set in the environment, to find processes that left their group. */
  marker: string;
}

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

/** The providers by name: `local`, and those that a program brings. */
export class OneShotProviders {
  readonly #byName = new Map<string, OneShotProvider>([["local", local]]);
  readonly #policy: PolicyStore;
  readonly #walls: Walls;
  readonly #sandbox: Bubblewrap;
  readonly #rooms: Rooms;
  readonly #activeName: (agent: AgentRow) => string;

  constructor(deps: {
    policy: PolicyStore;
    walls: Walls;
    sandbox: Bubblewrap;
    rooms: Rooms;
    activeName: (agent: AgentRow) => string;
  }) {
    this.#policy = deps.policy;
    this.#walls = deps.walls;
    this.#sandbox = deps.sandbox;
    this.#rooms = deps.rooms;
    this.#activeName = deps.activeName;
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  register(name: string, provider: OneShotProvider): void {
    if (this.#byName.has(name)) throw new GatewayError("bad-request", `There is a provider "${name}" already.`);
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
    if (wanted === "none" || provider.isolation === wanted) return provider;
    if (provider === local) return this.#behindWall(agent);
    throw new GatewayError(
      "isolation-unavailable",
      `"${agent.name}" is to run in isolation (${wanted}), and its provider offers ${provider.isolation}. Nothing was started.`,
    );
  }

  #behindWall(agent: AgentRow): OneShotProvider {
    const wall = this.#walls.of(agent);
    if (providerFor(agent, this.#policy.settings) !== "bubblewrap" || !wall) return local;
    return {
      isolation: wall.shown.isolation,
      run: async (request) => {
        const own = { readable: [], writable: [] };
        const { cwd, marker } = request;
        const isListed = wall.shown.network === "allowlist";
        const roomPid = isListed ? await this.#rooms.enter(agent.id, marker, wall.hosts) : undefined;
        try {
          const { argv, release } = this.#sandbox.wrap({ argv: argvOf(request), cwd, wall, own, roomPid });
          return await run(request, argv).finally(release);
        } finally {
          this.#rooms.leave(marker);
        }
      },
    };
  }
}
