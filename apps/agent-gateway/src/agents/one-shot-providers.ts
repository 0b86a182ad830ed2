import { defaultShellPath, type RunOnceResult, runOnce } from "@belay/core";
import type { Isolation } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { isolationOf } from "./isolation.ts";

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
  run: ({ program, stdin, ...request }) => {
    const argv: [string, ...string[]] =
      program.type === "argv" ? program.argv : [defaultShellPath(request.env.PATH ?? ""), "-c", program.script];
    return runOnce({ ...request, argv, ...(stdin === null ? {} : { input: stdin }) });
  },
};

/** The providers by name: `local`, and those that a program brings. */
export class OneShotProviders {
  readonly #byName = new Map<string, OneShotProvider>([["local", local]]);
  readonly #policy: PolicyStore;
  readonly #activeName: (agent: AgentRow) => string;

  constructor(deps: { policy: PolicyStore; activeName: (agent: AgentRow) => string }) {
    this.#policy = deps.policy;
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
    throw new GatewayError(
      "isolation-unavailable",
      `"${agent.name}" is to run in isolation (${wanted}), and its provider offers ${provider.isolation}. Nothing was started.`,
    );
  }
}
