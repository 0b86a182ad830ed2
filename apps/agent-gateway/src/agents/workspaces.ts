import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, sep } from "node:path";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";

export interface ChosenWorkspace {
  /** Null: the gateway's own workspace. */
  workspace: string | null;
  /** Why it is not the folder that the client requested. */
  note: string | null;
}

/** Decides the folder of an agent's conversation: the client's request, if the policy allows it. */
export class Workspaces {
  readonly #policy: PolicyStore;
  readonly #ownWorkspace: string;

  constructor({ policy, workspace }: { policy: PolicyStore; workspace: string }) {
    this.#policy = policy;
    this.#ownWorkspace = workspace;
  }

  async choose(agent: AgentRow, asked: string | null): Promise<ChosenWorkspace> {
    const otherwise = agent.workspace;
    if (asked === null) return { workspace: otherwise, note: null };
    const folder = isAbsolute(asked) ? await realFolder(asked) : null;
    if (folder === null) {
      return { workspace: otherwise, note: `There is no folder ${asked} here, so it is not the workspace.` };
    }
    if (await this.#mayBeRoot(folder, agent)) return { workspace: folder, note: null };
    const note = `${asked} is not the workspace: the policy does not list it (\`workspaces\` in security.json).`;
    return { workspace: otherwise, note };
  }

  /** A folder below one that the agent has anyway, or below one that the policy lists. */
  async #mayBeRoot(folder: string, agent: AgentRow): Promise<boolean> {
    const listed = this.#policy.settings.workspaces.map((path) => path.replace(/^~(?=\/|$)/, homedir()));
    const allowed = [agent.workspace ?? this.#ownWorkspace, ...listed];
    for (const path of allowed) {
      const root = await realFolder(path);
      if (root !== null && isBelow(folder, root)) return true;
    }
    return false;
  }
}

function isBelow(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The real path of the folder; null if it does not exist. */
export async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null; // does not exist, or is not accessible
  }
}
