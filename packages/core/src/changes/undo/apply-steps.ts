import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import {
  type Entry,
  type FileEntry,
  isSameSpecialFile,
  joinPath,
  type LinkEntry,
  nameOf,
  type OtherEntry,
  parentOf,
} from "../entry.ts";
import { FolderHandle } from "../scan/folder-handle.ts";
import { describeSpecialFile } from "../scan/special-file.ts";
import { makePipe } from "./make-pipe.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** One path, and its target state. */
export interface ApplyStep {
  path: string;
  to: Entry | null;
}

/** The name under which new content is written before it is renamed into place; removed if a crash left it. */
const TEMPORARY_NAME = ".belay-undo-new";

/**
 * Brings each path to its target state. Idempotent, so an interrupted run is simply repeated.
 *
 * 1. Paths to remove are removed, deepest first; a folder that is not empty stays.
 * 2. Folders are created, outermost first.
 * 3. Files, links and pipes are made beside their place and renamed; a file with other hard links is written in place.
 * 4. Folders get their modes last: a read-only one would refuse the rest.
 */
export async function applySteps(
  root: Buffer,
  steps: readonly ApplyStep[],
  contentOf: (id: string) => Promise<Buffer>,
): Promise<{ kept: string[] }> {
  const kept: string[] = [];
  for (const folder of new Set(steps.map(({ path }) => parentOf(path)))) {
    inFolder(root, joinPath(folder, TEMPORARY_NAME), (handle) => removeIfThere(handle.at(TEMPORARY_NAME)));
  }
  const byDepth = [...steps].sort((a, b) => depth(a.path) - depth(b.path));
  for (const { path, to } of [...byDepth].reverse()) {
    const name = nameOf(path);
    inFolder(root, path, (folder) => {
      const now = statOf(folder.at(name));
      if (now === null || (to !== null && isSameKind(now, to))) return;
      if (now.isDirectory() && !removeFolder(folder, name)) kept.push(path);
      else if (!now.isDirectory()) unlinkSync(folder.at(name));
    });
  }
  for (const { path, to } of byDepth) {
    if (to?.type !== "folder") continue;
    inFolder(root, path, (folder) => {
      if (statOf(folder.at(nameOf(path))) === null) mkdirSync(folder.at(nameOf(path)), { mode: 0o700 });
    });
  }
  for (const { path, to } of byDepth) {
    if (to?.type === "other") inFolder(root, path, (folder) => makeSpecialFile(folder, path, to));
    if ((to?.type !== "file" && to?.type !== "link") || to.id === null) continue;
    const bytes = await contentOf(to.id);
    inFolder(root, path, (folder) => write(folder, path, to, bytes));
  }
  for (const { path, to } of [...byDepth].reverse()) {
    if (to?.type !== "folder") continue;
    inFolder(root, path, (folder) => {
      if (statOf(folder.at(nameOf(path)))?.isDirectory()) folder.chmod(nameOf(path), to.mode);
    });
  }
  return { kept };
}

function write(folder: FolderHandle, path: string, to: FileEntry | LinkEntry, bytes: Buffer): void {
  const place = folder.at(nameOf(path));
  const now = statOf(place);
  // A folder that could not be removed is in the way.
  if (now?.isDirectory()) return;
  const temporary = folder.at(TEMPORARY_NAME);
  removeIfThere(temporary);
  if (to.type === "link") {
    symlinkSync(bytes, temporary);
    renameSync(temporary, place);
    lutimesSync(place, new Date(), to.mtimeMs / 1000);
    return;
  }
  const isInPlace = now?.isFile() === true && now.nlink > 1;
  const fd = openSync(
    isInPlace ? place : temporary,
    isInPlace ? O_WRONLY | O_NOFOLLOW : O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    0o600,
  );
  try {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at, bytes.byteLength - at, at);
    ftruncateSync(fd, bytes.byteLength);
    fchmodSync(fd, to.mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  if (!isInPlace) renameSync(temporary, place);
  lutimesSync(place, new Date(), to.mtimeMs / 1000);
}

/** Makes a pipe. A socket or a device cannot be made, but an existing one gets its mode back. */
function makeSpecialFile(folder: FolderHandle, path: string, to: OtherEntry): void {
  const name = nameOf(path);
  const now = statOf(folder.at(name));
  if (now === null && to.kind === "pipe") {
    removeIfThere(folder.at(TEMPORARY_NAME));
    makePipe(folder, TEMPORARY_NAME);
    folder.chmod(TEMPORARY_NAME, to.mode);
    renameSync(folder.at(TEMPORARY_NAME), folder.at(name));
    lutimesSync(folder.at(name), new Date(), to.mtimeMs / 1000);
  } else if (now && !now.isFile() && !now.isDirectory() && isSameSpecialFile(describeSpecialFile(now), to)) {
    folder.chmod(name, to.mode);
  }
}

/** Opens the folder of a path; a read-only one is made writable for a moment. */
function inFolder(root: Buffer, path: string, act: (folder: FolderHandle) => void): void {
  let folder: FolderHandle;
  try {
    folder = FolderHandle.open(root, parentOf(path));
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR") || isCode(error, "ELOOP")) return;
    throw error;
  }
  try {
    act(folder);
  } catch (error) {
    if (!isCode(error, "EACCES")) throw error;
    const mode = lstatSync(`${folder.self()}/.`).mode & 0o7777;
    chmodSync(folder.self(), mode | 0o700);
    try {
      act(folder);
    } finally {
      chmodSync(folder.self(), mode);
    }
  } finally {
    folder.close();
  }
}

function removeFolder(folder: FolderHandle, name: string): boolean {
  try {
    rmdirSync(folder.at(name));
    return true;
  } catch (error) {
    if (isCode(error, "ENOTEMPTY") || isCode(error, "EEXIST")) return false;
    throw error;
  }
}

function removeIfThere(path: Buffer): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

function statOf(path: Buffer) {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function isSameKind(stats: NonNullable<ReturnType<typeof statOf>>, to: Entry): boolean {
  if (to.type === "folder") return stats.isDirectory();
  // A socket or a device cannot be made, so nothing is removed to make room for one.
  if (to.type === "other") return to.kind !== "pipe" || stats.isFIFO();
  // A rename replaces an existing file or link.
  return !stats.isDirectory();
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function depth(path: string): number {
  return path.split("/").length;
}
