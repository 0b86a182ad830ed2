import { type ProcessStat, readProcFile, readStat } from "../processes/proc.ts";
import { type TerminalUse, terminalUseOf } from "./blocked-on.ts";
import { readModes, type TerminalModes } from "./termios.ts";

/** What the kernel says of a terminal at one moment. */
export interface KernelView {
  /** Whether the terminal's first process has the keyboard, or something that it started. */
  foreground: "leader" | "other";
  use: TerminalUse;
  /** Only asked for where the use makes it matter; null also where it cannot be told. */
  modes: TerminalModes | null;
}

/** Deeper than any shell that starts a program that starts a program. */
const MAX_PROCESSES = 200;

/** Null where there is no such kernel (anything but Linux), or when the process is gone. */
export async function askKernel(leaderPid: number, device: string): Promise<KernelView | null> {
  const leader = readStat(leaderPid);
  if (!leader || leader.foregroundGroupId < 0) return null;
  const use = strongest(foregroundPids(leader).map((pid) => terminalUseOf(pid, device)));
  return {
    foreground: leader.foregroundGroupId === leader.groupId ? "leader" : "other",
    use,
    modes: use === "neither" ? null : await readModes(device),
  };
}

/** The processes that have the keyboard of the terminal whose first process this is. */
export function foregroundPids(leader: ProcessStat): number[] {
  const isLeader = leader.foregroundGroupId === leader.groupId;
  return isLeader ? [leader.pid] : membersOf(leader.foregroundGroupId, leader.pid);
}

function strongest(uses: TerminalUse[]): TerminalUse {
  return (["reads", "polls", "unknown"] as const).find((use) => uses.includes(use)) ?? "neither";
}

/** Among the leader's descendants: what is in the foreground of its terminal has nearly always come from there. */
function membersOf(groupId: number, leaderPid: number): number[] {
  const found: number[] = [];
  const queue = [leaderPid];
  for (let pid = queue.shift(); pid !== undefined && found.length < MAX_PROCESSES; pid = queue.shift()) {
    if (readStat(pid)?.groupId === groupId) found.push(pid);
    queue.push(...childrenOf(pid));
  }
  // A group keeps the number of its leader, even after that leader was reparented.
  return found.length > 0 ? found : [groupId];
}

function childrenOf(pid: number): number[] {
  const text = readProcFile(pid, `task/${pid}/children`) ?? "";
  return text.split(" ").filter(Boolean).map(Number);
}
