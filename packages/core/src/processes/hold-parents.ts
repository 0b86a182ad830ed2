import { setTimeout as delay } from "node:timers/promises";
import { readStat } from "./proc.ts";

/** A process that was told to stop does so when it is next scheduled. On a busy machine that takes a while. */
const LONGEST_STOP_MS = 500;

/**
 * Stops every process between a terminal's first one and these, so that nothing that these leave
 * unread reaches a shell. Returns how to let them go on.
 *
 * A parent that waits for its child does not notice. From the top down, each only once the one above it stands still,
 * so that no shell sees a child of its own stop and takes the keyboard back ("[1]+  Stopped"); and on again from the
 * bottom up.
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

/** From the nearest up to the leader; nothing for the leader itself or a process that does not descend from it. */
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
    // It ended meanwhile, or is another user's.
  }
}
