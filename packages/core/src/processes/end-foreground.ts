import { readStat } from "./proc.ts";

const GRACE_MS = 2000;

/** Ends the foreground program of a shell, but not the shell. False if the shell itself is in the foreground. */
export function endForeground(shellPid: number): boolean {
  const group = foregroundOf(shellPid);
  if (group === null) return false;
  signalGroup(group, "SIGTERM");
  signalGroup(group, "SIGHUP");
  setTimeout(() => {
    if (foregroundOf(shellPid) === group) signalGroup(group, "SIGKILL");
  }, GRACE_MS).unref();
  return true;
}

function foregroundOf(shellPid: number): number | null {
  const shell = readStat(shellPid);
  if (!shell || shell.foregroundGroupId <= 1 || shell.foregroundGroupId === shell.groupId) return null;
  return shell.foregroundGroupId;
}

function signalGroup(groupId: number, name: NodeJS.Signals): void {
  try {
    process.kill(-groupId, name);
  } catch {
    // It has already ended.
  }
}
