import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fillDisk } from "../disks/fill-disk.ts";

/** A folder on a small disk of its own, in memory, which can be filled. */
export interface SmallDisk {
  folder: string;
  fill(): void;
  free(): void;
  close(): void;
}

/** Makes the folder. Where nothing can be mounted it is an ordinary one, which cannot be filled: `isSmall` says so. */
export function openSmallDisk(folder: string, megabytes: number): SmallDisk & { isSmall: boolean } {
  mkdirSync(folder, { recursive: true });
  const isSmall =
    spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "none", folder]).status === 0;
  const filler = join(folder, "filler");
  return {
    folder,
    isSmall,
    fill: () => {
      if (isSmall) fillDisk(filler);
    },
    free: () => rmSync(filler, { force: true }),
    close: () => {
      // Lazily: a process that was just killed may still have files open there.
      if (isSmall) spawnSync("umount", ["-l", folder]);
    },
  };
}
