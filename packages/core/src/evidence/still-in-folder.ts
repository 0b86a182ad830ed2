import { readlinkSync } from "node:fs";
import type { TerminalInfo } from "@belay/protocol";

/**
 * Whether an idle shell on this machine is certainly still in the folder that its host last reported. A shell can leave
 * it without a command (a trap), and the folder can be moved. False if unknown.
 */
export function isStillInFolder({ state, activity, cwd, wall, machine }: TerminalInfo): boolean {
  // Behind a wall the same folder may have another path.
  if (state.status !== "running" || activity.kind !== "idle" || wall || machine !== undefined) return false;
  try {
    // Only the text of the link: this reads nothing from a disk or over a network, so it does not block.
    return readlinkSync(`/proc/${state.pid}/cwd`) === cwd;
  } catch {
    return false; // Not Linux, another user's process, or it has ended.
  }
}
