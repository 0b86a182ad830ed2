import type { SpawnRequest } from "./requests.ts";

/** A shell without limits and without a wall; an agent's, unless another owner is given. */
export function shellRequest(cwd: string, overrides: Partial<SpawnRequest> = {}): SpawnRequest {
  return {
    program: { type: "shell", shell: null, login: false },
    owner: "agent",
    visible: false,
    agentId: null,
    name: null,
    cwd,
    env: {},
    cols: 80,
    rows: 24,
    limits: { idleTimeoutMs: null, maxLifetimeMs: null },
    provider: "local",
    ...overrides,
  };
}
