import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The processes that hold the terminals of a data dir: one, or none. */
export function hostPidsOf(dataDir: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => /\/pty-host\.[jt]s\0([^\0]*)\0/.exec(read(pid, "cmdline"))?.[1] === dataDir)
    .map(Number);
}

/** A test that killed its gateway leaves a host behind, with all its terminals: ends them. */
export async function endHost(dataDir: string): Promise<void> {
  for (const pid of hostPidsOf(dataDir)) {
    process.kill(pid, "SIGTERM");
    while (isAlive(pid)) await delay(10);
  }
}

/** A zombie counts as gone: its parent may take its time. */
export function isAlive(pid: number): boolean {
  const stat = read(String(pid), "stat");
  return stat !== "" && !/\) [ZX] /.test(stat);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // It ended.
  }
}
