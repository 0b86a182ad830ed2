import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { isOutOfDescriptors, withSpareDescriptors } from "./spare-descriptors.ts";

/** Shared by all reads: each result is copied out at once. */
const shared = Buffer.allocUnsafeSlow(16 * 1024);

export interface ProcessStat {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** Foreground process group of its terminal; -1 without one. */
  foregroundGroupId: number;
  /** One letter: R running, S sleeping, D uninterruptible, T stopped, Z zombie. */
  state: string;
  name: string;
  /** In clock ticks since the machine started. Together with the pid it names one process. */
  startedAt: string;
}

/** Null when the process is gone, or when there is no /proc. */
export function readStat(pid: number): ProcessStat | null {
  const text = readProcFile(pid, "stat");
  if (text === null) return null;
  // The name is in brackets and may contain any character, including brackets and spaces.
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
    startedAt: fields[19] ?? "",
  };
}

/** Throws if this process has no descriptor left, which says nothing about the other one. */
export function readProcFile(pid: number, file: string): string | null {
  try {
    return withSpareDescriptors(() => readWhole(`/proc/${pid}/${file}`));
  } catch (error) {
    if (isOutOfDescriptors(error)) throw error;
    return null; // Gone, or not readable: callers treat both as unknown.
  }
}

/**
 * Files in /proc do not report their length. For such a file, Node's own function allocates two buffers of 64 KB, and
 * reading a few after each command cost more garbage collection than the host spent on everything else.
 */
function readWhole(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    let text = "";
    for (;;) {
      const length = readSync(descriptor, shared, 0, shared.byteLength, null);
      if (length === 0) return text;
      text += shared.toString("latin1", 0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The executable of a process; null if it is gone or another user's. */
export function programPathOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

/** Null on systems without /proc (macOS). */
export function listPids(): number[] | null {
  try {
    return withSpareDescriptors(() => readdirSync("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
