import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import type { JudgeContext } from "@belay/policy";
import type { Settings } from "../env.ts";

/** What every judgement on this machine starts from: the workspace, the user, and Belay's own things. */
export function machineContext(
  { workspace, dataDir, securityFile, port }: Settings,
  findProcesses: () => readonly number[],
): Partial<JudgeContext> {
  return {
    // As the kernel names it, since that is how it names the folders that shells are in.
    workspace: realPath(workspace),
    home: homedir(),
    user: userInfo().username,
    own: {
      paths: [dataDir, securityFile],
      // Asked at every judgement: the host of the terminals may have been replaced.
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
    return path; // not there yet
  }
}
