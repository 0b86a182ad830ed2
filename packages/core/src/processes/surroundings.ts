import { readlinkSync } from "node:fs";
import { foregroundPids } from "../evidence/kernel.ts";
import { readProcFile, readStat } from "./proc.ts";

/** A shell's folder, and the environment of its programs. Null if the kernel does not say. */
export interface Surroundings {
  cwd: string | null;
  /** The shell's initial environment. */
  atStart: Record<string, string> | null;
  /** Its current exported variables, as seen in the foreground program; null while none runs. */
  now: Record<string, string> | null;
}

export function readSurroundings(shellPid: number): Surroundings {
  const shell = readStat(shellPid);
  const runsProgram = shell !== null && shell.foregroundGroupId > 0 && shell.foregroundGroupId !== shell.groupId;
  const [program] = runsProgram ? foregroundPids(shell) : [];
  return {
    cwd: readCwd(shellPid),
    atStart: readEnv(shellPid),
    now: program === undefined ? null : readEnv(program),
  };
}

function readEnv(pid: number): Record<string, string> | null {
  const text = readProcFile(pid, "environ");
  if (text === null || text === "") return null;
  const pairs = Buffer.from(text, "latin1").toString("utf8").split("\0");
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const at = pair.indexOf("=");
      return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)]] : [];
    }),
  );
}

function readCwd(pid: number): string | null {
  try {
    const path = readlinkSync(`/proc/${pid}/cwd`);
    return path.endsWith(" (deleted)") ? null : path;
  } catch {
    return null; // gone, another user's, or no /proc
  }
}
