import { realpath, stat } from "node:fs/promises";
import { availableParallelism, freemem, loadavg, totalmem } from "node:os";
import type { MachineLoad } from "@belay/protocol";

/** The real path of a folder, or the path itself if it does not exist; device and inode identify it. */
export async function findFolder(path: string): Promise<{ path: string; id: string | null }> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real, { bigint: true }).catch(() => null);
  return { path: real, id: found && `${found.dev}:${found.ino}` };
}

export function readLoad(): MachineLoad {
  const [load1 = 0] = loadavg();
  return { cpus: availableParallelism(), load1, totalMemoryBytes: totalmem(), freeMemoryBytes: freemem() };
}
