import { realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import type { WorkspaceOptions } from "@belay/core";
import { shortHash } from "@belay/core";
import type { SecuritySettings } from "@belay/policy";
import type { AgentRow } from "../store/tables/agents.ts";

interface Deps {
  settings: () => SecuritySettings["undo"];
  dataDir: string;
  /** The gateway's own workspace. */
  workspace: string;
  searchPath: string;
}

/** Which folders have a history, where it is stored, and with which settings. */
export class FollowedWorkspaces {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The folder whose history covers an agent's commands: the gateway's own workspace if the agent's is inside it. */
  of({ workspace }: Pick<AgentRow, "workspace">): string {
    const own = real(this.#deps.workspace);
    const folder = workspace === null ? own : real(workspace);
    return folder === own || folder.startsWith(own + sep) ? own : folder;
  }

  /** Why a workspace has no history; null if it has one. */
  whyNot(workspace: string): string | null {
    if (!this.#deps.settings().enabled) return "The policy keeps no history (undo.enabled).";
    if (workspace === sep) return "The workspace is the whole machine, which is not tracked.";
    if (workspace === real(homedir()))
      return "The workspace is a home folder, which is not tracked. Start in a project.";
    if (workspace === real(tmpdir())) return "The workspace is the folder for temporary files, which is not tracked.";
    return null;
  }

  options(workspace: string): WorkspaceOptions {
    const { include, exclude, maxFileBytes, maxBytes } = this.#deps.settings();
    const { dataDir, searchPath } = this.#deps;
    return {
      dir: join(dataDir, "history", folderName(workspace)),
      searchPath,
      include,
      // Belay's own files are not part of the workspace's history.
      exclude: [...exclude, ...patternOf(real(dataDir), workspace)],
      maxFileBytes,
      maxBytes,
    };
  }
}

function patternOf(dataDir: string, workspace: string): string[] {
  if (!dataDir.startsWith(workspace + sep)) return [];
  return [`/${relative(workspace, dataDir).replaceAll(/[\\*?[\]! ]/g, "\\$&")}/`];
}

/** With a readable name. */
function folderName(workspace: string): string {
  const name = basename(workspace).replaceAll(/[^A-Za-z0-9._-]/g, "_");
  return `${name}-${shortHash(workspace)}`;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // does not exist yet
  }
}
