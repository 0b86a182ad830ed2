import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds that these processes and their children have used so far; finished children count with their parents. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of familyOf(pids)) {
    const fields = statOf(pid);
    // utime, stime, cutime and cstime are fields 14 to 17; two fields are cut off with the name.
    if (fields) ticks += fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  }
  return ticks / TICKS_PER_SECOND;
}

/** The same for one process alone, in milliseconds. */
export function ownCpuMs(pid: number): number {
  const [user = 0, system = 0] = statOf(pid)?.slice(11, 13).map(Number) ?? [];
  return ((user + system) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory of one process, in megabytes. */
export function memoryMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

function familyOf(roots: readonly number[]): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? statOf(Number(name))?.[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const family = new Set(roots);
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

/** The fields of /proc/PID/stat after the name, which may contain any character. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null; // it has ended
  }
}
