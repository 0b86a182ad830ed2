import { findShell, type SpawnRequest } from "@belay/core";

type Chosen = Pick<SpawnRequest, "cwd"> &
  Partial<Pick<SpawnRequest, "name" | "cols" | "rows">> & {
    /** Null: the default shell of this machine. */
    shell?: string | null;
    /** Reads the person's login files; a named session of the `deep` toolset does not. */
    login?: boolean;
  };

/** The request for an agent's shell, which lives until somebody ends it. */
export function agentShellRequest(chosen: Chosen): Omit<SpawnRequest, "id" | "agentId" | "provider"> {
  const { cwd, shell = null, login = true, name = null, cols = 120, rows = 40 } = chosen;
  return {
    program: { type: "shell", shell, login },
    owner: "agent",
    visible: false,
    name,
    cwd,
    env: {},
    cols,
    rows,
    limits: { idleTimeoutMs: null, maxLifetimeMs: null },
  };
}

/** Throws where there is no such shell: nobody is asked about one that could not be started anyway (A2). */
export function assertShellExists(shell: string | null, { PATH = "" }: Readonly<Record<string, string>>): void {
  if (shell !== null) findShell(shell, PATH);
}
