import { setTimeout as delay } from "node:timers/promises";
import { readStat } from "./proc.ts";

/** How long a process may take to stop after SIGSTOP, even on a busy machine. */
const LONGEST_STOP_MS = 500;

/**
 * Stops every process between a terminal's first one and these, so that input that they leave
 * unread does not reach a shell. Returns a function that resumes them.
 *
 * A parent that waits for its child does not notice. They are stopped from the top down, each only once its parent has
 * stopped, so that no shell sees its own child stop and takes the foreground back ("[1]+  Stopped"); and resumed from
 * the bottom up.
 */
export async function holdParents(pids: readonly number[], leaderPid: number): Promise<() => void> {
  const parents = new Set<number>();
  for (const pid of pids) for (const parent of parentsOf(pid, leaderPid)) parents.add(parent);
  for (const pid of pids) parents.delete(pid);
  const topDown = [...parents].sort((a, b) => depthOf(a, leaderPid) - depthOf(b, leaderPid));
  for (const pid of topDown) {
    signal(pid, "SIGSTOP");
    await untilStopped(pid);
  }
  return () => {
    for (const pid of topDown.reverse()) signal(pid, "SIGCONT");
  };
}

async function untilStopped(pid: number): Promise<void> {
  const deadline = performance.now() + LONGEST_STOP_MS;
  while (performance.now() < deadline) {
    const state = readStat(pid)?.state;
    // Stopped, traced, dead or gone.
    if (state === undefined || /^[TtZX]$/.test(state)) return;
    await delay(1);
  }
}

function depthOf(pid: number, leaderPid: number): number {
  return parentsOf(pid, leaderPid).length;
}

/** From the nearest up to the leader; empty for the leader itself or a process that is not its descendant. */
function parentsOf(pid: number, leaderPid: number): number[] {
  const parents: number[] = [];
  for (let at = pid; at !== leaderPid; ) {
    const parentPid = readStat(at)?.parentPid ?? 0;
    if (parentPid <= 1) return [];
    parents.push(parentPid);
    at = parentPid;
  }
  return parents;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended, or belongs to another user.
  }
}
