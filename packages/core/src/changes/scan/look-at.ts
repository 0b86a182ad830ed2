import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { type Entry, type FileEntry, nameOf, parentOf } from "../entry.ts";
import { FolderHandle } from "./folder-handle.ts";
import { readRegularFile } from "./read-regular-file.ts";
import { blobId } from "./scanner.ts";
import { describeSpecialFile } from "./special-file.ts";

/** The current entry at a path, with its content read; null if there is none. */
export function lookAt(
  root: Buffer,
  path: string,
  maxFileBytes: number,
): { entry: Entry; bytes: Buffer | null } | null {
  let folder: FolderHandle;
  try {
    folder = FolderHandle.open(root, parentOf(path));
  } catch {
    return null; // its folder is gone, or no longer a folder
  }
  try {
    const at = folder.at(nameOf(path));
    const stats = lstatSync(at);
    const stat = { mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, inode: stats.ino };
    if (stats.isDirectory()) return { entry: { type: "folder", ...stat }, bytes: null };
    if (stats.isSymbolicLink()) {
      const bytes = readlinkSync(at, { encoding: "buffer" });
      return { entry: { type: "link", ...stat, id: blobId(bytes) }, bytes };
    }
    if (!stats.isFile()) return { entry: { ...describeSpecialFile(stats), ...stat }, bytes: null };
    return lookAtFile(at, stats, stat, maxFileBytes);
  } catch {
    return null;
  } finally {
    folder.close();
  }
}

function lookAtFile(
  at: Buffer,
  stats: Stats,
  stat: Pick<FileEntry, "mode" | "mtimeMs" | "ctimeMs" | "inode">,
  maxFileBytes: number,
) {
  const shared = stats.nlink > 1 ? { isShared: true as const } : {};
  const read = readRegularFile(at, maxFileBytes);
  const bytes = read.type === "content" ? read.bytes : null;
  const content =
    read.type === "content"
      ? { size: read.bytes.byteLength, id: blobId(read.bytes) }
      : { size: stats.size, id: null, leftOut: read.type };
  const entry: Entry = { type: "file", ...stat, ...content, ...shared };
  return { entry, bytes };
}
