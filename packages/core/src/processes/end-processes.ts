import { listPids, readProcFile, readStat } from "./proc.ts";

/** Set in the environment of everything that a terminal starts, so that what leaves its session is found too. */
export const MARKER_VARIABLE = "BELAY_TERMINAL";

const GRACE_MS = 300;
const POLL_MS = 10;
/** Each round kills everything that it finds; a new one finds only what was forked meanwhile. */
const MAX_KILL_ROUNDS = 50;

export interface TerminalProcesses {
  /** The terminal's first process, which leads its session. */
  leaderPid: number;
  hasLeaderExited: () => boolean;
  /** What the environment variable holds in this terminal and in no other. */
  marker: string;
}

export interface Survivor {
  pid: number;
  command: string;
}

/**
 * Ends every process of a terminal, whatever it did to escape.
 *
 * 1. A hang-up, as when a terminal window closes, and a moment to tidy up.
 * 2. SIGKILL to all that are left, again and again until a look around finds none.
 *
 * Found by session, and by a variable in the environment for those that left the
 * session (`nohup`, `setsid`, a double fork). One that emptied its environment as
 * well is beyond this; a PID namespace or a cgroup is the complete answer.
 */
export async function endProcesses(target: TerminalProcesses): Promise<Survivor[]> {
  let pids = findProcesses(target);
  for (const pid of pids) {
    signal(pid, "SIGHUP");
    // A stopped process sees no signal but this one.
    signal(pid, "SIGCONT");
  }
  const deadline = Date.now() + GRACE_MS;
  while (pids.length > 0 && Date.now() < deadline) {
    await pause(POLL_MS);
    pids = findProcesses(target);
  }
  for (let round = 0; pids.length > 0 && round < MAX_KILL_ROUNDS; round++) {
    for (const pid of pids) signal(pid, "SIGKILL");
    await pause(POLL_MS);
    pids = findProcesses(target);
  }
  return pids.map((pid) => ({ pid, command: readProcFile(pid, "cmdline")?.replaceAll("\0", " ").trim() ?? "" }));
}

function findProcesses({ leaderPid, hasLeaderExited, marker }: TerminalProcesses): number[] {
  const entry = `${MARKER_VARIABLE}=${marker}`;
  return listPids().filter((pid) => {
    const stat = readStat(pid);
    if (!stat || stat.state === "Z") return false;
    if (stat.sessionId === leaderPid) return true;
    // Right after the fork it has neither its session nor its environment yet.
    if (pid === leaderPid && !hasLeaderExited()) return true;
    return readProcFile(pid, "environ")?.split("\0").includes(entry) ?? false;
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself meanwhile, or is not ours; the next look tells which.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
