import { readProcFile, readStat } from "./proc.ts";
import { type LivingProcess, ProcessTable } from "./process-table.ts";
import { isOutOfDescriptors } from "./spare-descriptors.ts";

/** Set in the environment of everything that a terminal starts, to find processes that leave its session. */
export const MARKER_VARIABLE = "BELAY_TERMINAL";

const GRACE_MS = 300;
const POLL_MS = 10;
/** Each round kills everything that it finds; the next finds only processes forked meanwhile. */
const MAX_KILL_ROUNDS = 100;

export interface TerminalProcesses {
  /** The terminal's first process, which leads its session. */
  leaderPid: number;
  hasLeaderExited: () => boolean;
  /** The value of the environment variable, unique to this terminal. */
  marker: string;
  /** The processes in its cgroup, even those that left its session and environment. */
  groupPids?: () => number[];
}

export interface Survivor {
  pid: number;
  command: string;
}

const table = new ProcessTable();

/**
 * Ends every process of a terminal, even daemons.
 *
 * 1. SIGHUP, as when a terminal window closes, and a grace period.
 * 2. SIGKILL to the rest, repeated until none is found.
 *
 * Processes are found by session, by ancestry, and by an environment variable for those that
 * left both (`nohup`, `setsid`, a double fork). One that left both and emptied its
 * environment is found only through the terminal's cgroup, or ends with the PID namespace
 * of a sandbox.
 */
export async function endProcesses(target: TerminalProcesses): Promise<Survivor[]> {
  let pids = lookAround(() => findProcesses(target)) ?? [target.leaderPid];
  for (const pid of pids) {
    signal(pid, "SIGHUP");
    // A stopped process handles no signal until SIGCONT.
    signal(pid, "SIGCONT");
  }
  const deadline = performance.now() + GRACE_MS;
  while (pids.length > 0 && performance.now() < deadline) {
    await pause(POLL_MS);
    pids = lookAround(() => findProcesses(target)) ?? pids;
  }
  return killUntilNone(pids, () => findProcesses(target));
}

/** Ends every process whose environment marker has this prefix, and all processes in their sessions. */
export function endMarkedProcesses(markerPrefix: string): Promise<Survivor[]> {
  return killUntilNone([], () => findMarked(`\0${MARKER_VARIABLE}=${markerPrefix}`));
}

/** Kills what `find` returns until it finds nothing more, and returns what could not be ended. */
export function endFoundProcesses(find: () => number[]): Promise<Survivor[]> {
  return killUntilNone(lookAround(find) ?? [], find);
}

async function killUntilNone(found: number[], find: () => number[]): Promise<Survivor[]> {
  let pids = found;
  // Two empty results, a moment apart: a process in the middle of exec shows no environment.
  let emptyLooks = 0;
  for (let round = 0; emptyLooks < 2 && round < MAX_KILL_ROUNDS; round++) {
    for (const pid of pids) signal(pid, "SIGKILL");
    const seen = lookAround(find);
    emptyLooks = seen?.length === 0 ? emptyLooks + 1 : 0;
    pids = seen ?? pids;
    if (emptyLooks < 2) await pause(POLL_MS);
  }
  return pids.map((pid) => ({ pid, command: commandOf(pid) }));
}

/** Null if this process has no descriptor left to read /proc: then it is unknown which processes are alive. */
function lookAround(find: () => number[]): number[] | null {
  try {
    return find();
  } catch (error) {
    if (isOutOfDescriptors(error)) return null;
    throw error;
  }
}

function findMarked(entry: string): number[] {
  const all = table.list().filter(({ pid }) => pid !== process.pid);
  const sessions = new Set(
    all.flatMap(({ environment, sessionId }) => (environment.includes(entry) ? [sessionId] : [])),
  );
  const found = new Set(
    all
      .filter(({ environment, sessionId }) => environment.includes(entry) || (sessionId > 0 && sessions.has(sessionId)))
      .map(({ pid }) => pid),
  );
  addDescendants(found, all);
  return [...found];
}

function findProcesses({ leaderPid, hasLeaderExited, marker, groupPids }: TerminalProcesses): number[] {
  const entry = `\0${MARKER_VARIABLE}=${marker}\0`;
  const all = table.list();
  const found = new Set(
    all
      .filter(({ sessionId, environment }) => sessionId === leaderPid || environment.includes(entry))
      .map(({ pid }) => pid),
  );
  // Right after the fork the leader has neither its session nor its environment yet.
  if (!hasLeaderExited() && isAlive(leaderPid)) found.add(leaderPid);
  for (const pid of groupPids?.() ?? []) if (isAlive(pid)) found.add(pid);
  addDescendants(found, all);
  return [...found];
}

/** A process that emptied its environment can still be found as a child while its parent is alive. */
function addDescendants(found: Set<number>, all: LivingProcess[]): void {
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parentPid } of all) if (found.has(parentPid)) found.add(pid);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readStat(pid)?.state !== "Z";
  } catch {
    return false;
  }
}

function commandOf(pid: number): string {
  return readProcFile(pid, "cmdline")?.replaceAll("\0", " ").trim() ?? "";
}

function signal(pid: number, name: NodeJS.Signals): void {
  // To the kernel, 0 means our own process group, and a negative number another group or every process.
  if (pid <= 1 || pid === process.pid) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has ended, or belongs to another user; the next scan shows which.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
