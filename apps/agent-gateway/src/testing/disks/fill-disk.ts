import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Fills the disk to the last byte with this file, then frees the given number of bytes. */
export function fillDisk(path: string, { leaveBytes = 0 } = {}): void {
  const file = openSync(path, "w");
  for (let piece = 1024 * 1024; piece >= 1; piece = Math.floor(piece / 16)) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(piece)) < piece) break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  if (leaveBytes > 0) ftruncateSync(file, fstatSync(file).size - leaveBytes);
  closeSync(file);
}
