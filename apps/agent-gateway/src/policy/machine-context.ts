import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import type { JudgeContext } from "@belay/policy";
import type { Settings } from "../env.ts";

/** The base context of every judgement on this machine: the workspace, the user, and Belay's own files and processes. */
export function machineContext(
  { workspace, dataDir, securityFile, port }: Settings,
  findProcesses: () => readonly number[],
): Partial<JudgeContext> {
  return {
    // The real path, because the kernel reports the folders of shells without links.
    workspace: realPath(workspace),
    home: homedir(),
    user: userInfo().username,
    own: {
      paths: [dataDir, securityFile],
      // Read at every judgement, because the host may have been replaced.
      get processIds() {
        return findProcesses();
      },
      ports: [port],
    },
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // does not exist yet
  }
}
