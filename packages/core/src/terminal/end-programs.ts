import type { HeldLimits } from "../limits/resource-limiter.ts";
import type { KillReport } from "../pool/requests.ts";
import { endProcesses } from "../processes/end-processes.ts";

/** Once its processes are gone the exit comes at once; a process that could not be ended never reports one. */
const EXIT_TIMEOUT_MS = 2000;

interface RunningPrograms {
  leaderPid: number;
  hasLeaderExited: () => boolean;
  marker: string;
  held: HeldLimits | null;
  /** The exit code of the first one, when it has ended. */
  exit: Promise<number | null>;
}

/** Ends everything that runs in a terminal, and says how its first program ended; null if unknown. */
export async function endPrograms({
  leaderPid,
  hasLeaderExited,
  marker,
  held,
  exit,
}: RunningPrograms): Promise<{ exitCode: number | null; survivors: KillReport["survivors"] }> {
  held?.forbidForks();
  const survivors = await endProcesses({
    leaderPid,
    hasLeaderExited,
    marker,
    ...(held && { groupPids: () => held.pids() }),
  });
  return { exitCode: await Promise.race([exit, nullAfter(EXIT_TIMEOUT_MS)]), survivors };
}

function nullAfter(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
