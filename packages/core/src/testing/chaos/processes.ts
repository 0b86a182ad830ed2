import { readdirSync, readFileSync } from "node:fs";

/** The running processes that match a predicate. */
export function findPids(file: "cmdline" | "environ" | "stat", text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, file).includes(text) && !isDead(pid))
    .map(Number);
}

function isDead(pid: string): boolean {
  return /\) [ZX] /.test(read(pid, "stat"));
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // It has ended.
  }
}
