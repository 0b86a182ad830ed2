import type { SpawnRequest } from "../pool/requests.ts";

/** An agent's shell without limits, for tests. */
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
