import { execFileSync } from "node:child_process";
import { listPids, readProcFile, readStat } from "./proc.ts";

/** How long a scan is cached. */
const MAX_AGE_MS = 8;

export interface LivingProcess {
  pid: number;
  parentPid: number;
  sessionId: number;
  /** As `NAME=value` entries, each between NULs. */
  environment: string;
}

/**
 * All processes. A scan takes milliseconds, and when hundreds of
 * terminals close at once each of them asks repeatedly, so they share one scan.
 */
export class ProcessTable {
  #processes: LivingProcess[] = [];
  #takenAt = Number.NEGATIVE_INFINITY;

  list(): LivingProcess[] {
    if (performance.now() - this.#takenAt > MAX_AGE_MS) {
      const pids = listPids();
      this.#processes = pids === null ? askPs() : pids.flatMap((pid) => readLiving(pid) ?? []);
      this.#takenAt = performance.now();
    }
    return this.#processes;
  }
}

function readLiving(pid: number): LivingProcess | null {
  const stat = readStat(pid);
  if (!stat || stat.state === "Z" || stat.state === "X") return null;
  return {
    pid,
    parentPid: stat.parentPid,
    sessionId: stat.sessionId,
    environment: `\0${readProcFile(pid, "environ") ?? ""}\0`,
  };
}

/** For systems without /proc (macOS; untested): `ps -E` shows the environment behind the command. */
function askPs(): LivingProcess[] {
  const text = execFileSync("ps", ["-axEwwo", "pid=,ppid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return text.split("\n").flatMap((line) => {
    const [pid = Number.NaN, parentPid = 0] = line.trim().split(/\s+/, 2).map(Number);
    return Number.isNaN(pid) ? [] : [{ pid, parentPid, sessionId: -1, environment: `${line.replaceAll(" ", "\0")}\0` }];
  });
}
