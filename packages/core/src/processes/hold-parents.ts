import { readStat } from "./proc.ts";

/**
 * Stops every process between a terminal's first one and these, so that nothing that these leave
 * unread reaches a shell. Returns how to let them go on.
 *
 * A parent that waits for its child does not notice. From the top down, so that no shell sees a
 * child of its own stop and takes the keyboard back; and on again from the bottom up.
 */
export function holdParents(pids: readonly number[], leaderPid: number): () => void {
  const parents = new Set<number>();
  for (const pid of pids) for (const parent of parentsOf(pid, leaderPid)) parents.add(parent);
  for (const pid of pids) parents.delete(pid);
  const topDown = [...parents].sort((a, b) => depthOf(a, leaderPid) - depthOf(b, leaderPid));
  for (const pid of topDown) signal(pid, "SIGSTOP");
  return () => {
    for (const pid of topDown.reverse()) signal(pid, "SIGCONT");
  };
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
