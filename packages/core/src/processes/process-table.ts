import { execFileSync } from "node:child_process";
import { listPids, readProcFile, readStat } from "./proc.ts";

/** For this long a look around is good enough for everyone who asks. */
const MAX_AGE_MS = 8;

export interface LivingProcess {
  pid: number;
  parentPid: number;
  sessionId: number;
  /** As `NAME=value` lines, each between NULs. */
  environment: string;
}

/**
 * Every process there is. Looking takes milliseconds, and when hundreds of
 * terminals close at once each of them asks again and again; they share one look.
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

/** Where there is no /proc (macOS; written for, not tried there): `ps -E` shows the environment behind the command. */
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
