import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ProcessStat {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** Foreground group of its terminal; -1 without one. */
  foregroundGroupId: number;
  /** One letter: R runs, S sleeps, D cannot be interrupted, T is stopped, Z is dead but not collected. */
  state: string;
  name: string;
}

/** Null when the process is gone, or when there is no /proc. */
export function readStat(pid: number): ProcessStat | null {
  const text = readProcFile(pid, "stat");
  if (text === null) return null;
  // The name is in brackets and may hold anything, brackets and spaces included.
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  return {
    pid,
    name: text.slice(text.indexOf("(") + 1, nameEnd),
    state: fields[0] ?? "",
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    sessionId: Number(fields[3]),
    foregroundGroupId: Number(fields[5]),
  };
}

export function readProcFile(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return null; // Gone, or not ours to read: callers treat both as "not known".
  }
}

/** The file that a process runs; null when it is gone or another user's. */
export function programPathOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

export function listPids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // No /proc: macOS.
  }
}
