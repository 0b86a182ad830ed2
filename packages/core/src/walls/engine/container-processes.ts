import { listPids, readProcFile, readStat } from "../../processes/proc.ts";

/** How a container's processes are recognised. */
export interface ContainerMarks {
  /** Belay's own files for this container, whose paths the engine's programs have on their command lines. */
  idFile: string;
  pidFile: string;
  /** Null until the engine has written it. */
  id: string | null;
}

/** The engine's programs that Belay started for the container: they create it, and then relay bytes. */
export function findClients({ idFile }: ContainerMarks): number[] {
  return [...processesWith((argv) => argv.includes(`--cidfile=${idFile}`))];
}

/**
 * Every process of a container, whether or not the engine knows it: those that create, watch and clean it up have its
 * id or its files on their command lines. The programs in it are below one of those, or in the control group that is
 * named after it.
 */
export function findContainerProcesses({ pidFile, id }: ContainerMarks): number[] {
  const found = processesWith((argv, pid) => {
    if (argv.includes(pidFile)) return true;
    return id !== null && (argv.includes(id) || (readProcFile(pid, "cgroup") ?? "").includes(id));
  });
  addDescendants(found);
  return [...found];
}

/** The program that ends what it started, by the command line of the container's monitor: `-r PROGRAM`. */
export function findRuntime(pids: readonly number[]): string | null {
  for (const pid of pids) {
    const argv = argvOf(pid);
    const program = argv[argv.indexOf("-r") + 1];
    if (argv[0]?.endsWith("/conmon") && argv.includes("-r") && program) return program;
  }
  return null;
}

function processesWith(matches: (argv: string[], pid: number) => boolean): Set<number> {
  return new Set((listPids() ?? []).filter((pid) => pid !== process.pid && isAlive(pid) && matches(argvOf(pid), pid)));
}

function addDescendants(found: Set<number>): void {
  for (const pid of found) {
    const children = (readProcFile(pid, `task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
    // A set is walked in the order in which it grows.
    for (const child of children) if (isAlive(child)) found.add(child);
  }
}

function argvOf(pid: number): string[] {
  return (readProcFile(pid, "cmdline") ?? "").split("\0");
}

function isAlive(pid: number): boolean {
  return !/[ZX]/.test(readStat(pid)?.state ?? "X");
}
