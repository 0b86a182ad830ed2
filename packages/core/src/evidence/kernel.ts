import { type ProcessStat, readProcFile, readStat } from "../processes/proc.ts";
import { type TerminalUse, terminalUseOf } from "./blocked-on.ts";
import { readModes, type TerminalModes } from "./termios.ts";

/** What the kernel says about a terminal at one moment. */
export interface KernelView {
  /** Whether the terminal's first process is in the foreground, or one that it started. */
  foreground: "leader" | "other";
  use: TerminalUse;
  /** Null if unknown, or if `use` makes them irrelevant. */
  modes: TerminalModes | null;
}

/** More than a foreground group usually has. */
const MAX_PROCESSES = 200;

/** Null on systems other than Linux, or when the process is gone. */
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

/** The foreground processes of the terminal that has this first process. */
export function foregroundPids(leader: ProcessStat): number[] {
  const isLeader = leader.foregroundGroupId === leader.groupId;
  return isLeader ? [leader.pid] : membersOf(leader.foregroundGroupId, leader.pid);
}

function strongest(uses: TerminalUse[]): TerminalUse {
  return (["reads", "polls", "unknown"] as const).find((use) => uses.includes(use)) ?? "neither";
}

/** Searches the leader's descendants: the foreground of its terminal nearly always comes from there. */
function membersOf(groupId: number, leaderPid: number): number[] {
  const found: number[] = [];
  const queue = [leaderPid];
  for (let pid = queue.shift(); pid !== undefined && found.length < MAX_PROCESSES; pid = queue.shift()) {
    if (readStat(pid)?.groupId === groupId) found.push(pid);
    queue.push(...childrenOf(pid));
  }
  // A group keeps its leader's pid as its id, even after that leader was reparented.
  return found.length > 0 ? found : [groupId];
}

function childrenOf(pid: number): number[] {
  const text = readProcFile(pid, `task/${pid}/children`) ?? "";
  return text.split(" ").filter(Boolean).map(Number);
}
