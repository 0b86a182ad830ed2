import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The host processes of a data folder: one, or none. */
export function hostPidsOf(dataDir: string): number[] {
  return findPids((commandLine) => /\/pty-host\.[jt]s\0([^\0]*)\0/.exec(commandLine)?.[1] === dataDir);
}

/** The processes with exactly this argument list. */
export function pidsRunning(argv: string[]): number[] {
  return findPids((commandLine) => commandLine === `${argv.join("\0")}\0`);
}

/** Ends the host and the terminals that remain after a test has killed its gateway. */
export async function endHost(dataDir: string): Promise<void> {
  for (const pid of hostPidsOf(dataDir)) {
    process.kill(pid, "SIGTERM");
    while (isAlive(pid)) await delay(10);
  }
}

/** A zombie counts as gone: its parent may reap it later. */
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

function findPids(isIt: (commandLine: string) => boolean): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isIt(read(pid, "cmdline")))
    .map(Number);
}
