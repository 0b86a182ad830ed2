import { findShell, type SpawnRequest, shellRequest } from "@belay/core";

type Chosen = Pick<SpawnRequest, "cwd"> &
  Partial<Pick<SpawnRequest, "name" | "cols" | "rows">> & {
    /** Null: the machine's default shell. */
    shell?: string | null;
    /** Whether to read the person's login files; a named session of the `deep` toolset does not. */
    login?: boolean;
  };

/** The request for an agent's shell, which lives until it is ended. */
export function agentShellRequest(chosen: Chosen): Omit<SpawnRequest, "id" | "agentId" | "provider"> {
  const { cwd, shell = null, login = true, name = null, cols = 120, rows = 40 } = chosen;
  const program = { type: "shell" as const, shell, login };
  const { agentId: _, provider: __, ...request } = shellRequest(cwd, { program, name, cols, rows });
  return request;
}

/** Throws if the shell does not exist, so that a person is not asked about one that cannot start (A2). */
export function assertShellExists(shell: string | null, { PATH = "" }: Readonly<Record<string, string>>): void {
  if (shell !== null) findShell(shell, PATH);
}
