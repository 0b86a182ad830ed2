import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export type ReadFile =
  | { type: "content"; bytes: Buffer; stats: Stats }
  | { type: "too-large"; stats: Stats }
  | { type: "unreadable" };

/** Reads a whole file. Never follows a link, and never blocks on a pipe that replaced the file. */
export function readRegularFile(path: Buffer, maxBytes: number): ReadFile {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return { type: "unreadable" };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { type: "unreadable" };
    if (stats.size > maxBytes) return { type: "too-large", stats };
    // One byte more than expected, so that a growing file is read to its current end.
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(1, stats.size - total + 1));
      const count = readSync(fd, chunk, 0, chunk.byteLength, null);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      total += count;
      if (total > maxBytes) return { type: "too-large", stats: fstatSync(fd) };
    }
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    return { type: "content", bytes, stats };
  } catch {
    return { type: "unreadable" };
  } finally {
    closeSync(fd);
  }
}
