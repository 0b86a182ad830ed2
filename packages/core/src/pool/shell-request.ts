import type { SpawnRequest } from "./requests.ts";

/** An agent's shell without limits and without a wall. */
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
