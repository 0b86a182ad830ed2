import { mkdirSync } from "node:fs";
import { cp, link, lstat, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { FolderHandle } from "../changes/scan/folder-handle.ts";
import { removeChangingTree } from "../remove-tree.ts";
import { type FoundEntry, type FoundItem, findEntries, type TrashItem } from "./trash-entry.ts";

/** An empty entry may belong to an `rm` that is about to fill it. */
const FILLING_MS = 3_600_000;

/** The contents of the trash, oldest first. */
export async function listTrash(trashDir: string): Promise<TrashItem[]> {
  const entries = await findEntries(trashDir);
  return entries.flatMap((entry) =>
    entry.items.map(({ id, path, deletedAt, kind }) => ({ id, path, deletedAt, kind })),
  );
}

export type RestoreOutcome =
  | { status: "restored"; path: string }
  | { status: "refused"; reason: "not-in-trash" | "path-taken" | "folder-moved"; path: string | null };

/** Restores an item to its original path, or refuses. Never overwrites or follows a link that replaced a folder. */
export async function restoreFromTrash(trashDir: string, id: string): Promise<RestoreOutcome> {
  const entries = await findEntries(trashDir);
  const item = entries.flatMap((entry) => entry.items).find((candidate) => candidate.id === id);
  if (!item) return { status: "refused", reason: "not-in-trash", path: null };

  const from = openFolder(() => FolderHandle.open(Buffer.from(item.entryDir), "files"));
  if (!from) return { status: "refused", reason: "not-in-trash", path: null };
  try {
    const to = openFolder(() => openOrMake(item.originalParent));
    if (!to) return { status: "refused", reason: "folder-moved", path: item.path };
    try {
      if (!(await moveWithoutReplacing(item, { from, to })))
        return { status: "refused", reason: "path-taken", path: item.path };
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
  await dropIfEmpty(item.entryDir);
  return { status: "restored", path: item.path };
}

/** Null if there is a link or a file in place of a folder: agents can change both the trash and what it came from. */
function openFolder(open: () => FolderHandle): FolderHandle | null {
  try {
    return open();
  } catch (error) {
    if (["ELOOP", "ENOTDIR", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** Creates missing folders on the way, one by one, so that a link cannot lead elsewhere. */
function openOrMake(path: Buffer): FolderHandle {
  let handle = FolderHandle.open(Buffer.from("/"), "");
  for (const name of path.toString("latin1").split("/").filter(Boolean)) {
    const parent = handle;
    try {
      handle = enterOrMake(parent, name);
    } finally {
      parent.close();
    }
  }
  return handle;
}

function enterOrMake(parent: FolderHandle, name: string): FolderHandle {
  const enter = () => parent.enter(name, { toList: false });
  try {
    return enter();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(parent.at(name));
    return enter();
  }
}

export interface EmptyRequest {
  /** Only items removed longer ago than this. */
  olderThanMs?: number;
  /** Only as much, oldest first, as is needed to get below this size. */
  maxBytes?: number;
  now: number;
}

/** Deletes for good: expired items, then the oldest above the size limit; everything if neither is given. */
export async function emptyTrash(
  trashDir: string,
  { olderThanMs, maxBytes, now }: EmptyRequest,
): Promise<{ removedItems: number; freedBytes: number }> {
  const entries = await findEntries(trashDir);
  const sized = await measureInTurn(entries);
  let heldBytes = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  let removedItems = 0;
  let freedBytes = 0;
  for (const { entry, bytes } of sized) {
    const ageMs = now - entry.deletedAt;
    if (entry.items.length === 0 && ageMs < FILLING_MS) continue;
    const isTooOld = olderThanMs !== undefined && ageMs > olderThanMs;
    const isTooMuch = maxBytes !== undefined && heldBytes > maxBytes;
    const isAll = olderThanMs === undefined && maxBytes === undefined;
    if (!isTooOld && !isTooMuch && !isAll) continue;
    // One entry that cannot be removed must not keep the others.
    const isRemoved = await removeChangingTree(entry.dir).then(
      () => true,
      () => false,
    );
    if (!isRemoved) continue;
    heldBytes -= bytes;
    freedBytes += bytes;
    removedItems += entry.items.length;
  }
  return { removedItems, freedBytes };
}

/** Its size. */
export async function measureTrash(trashDir: string): Promise<number> {
  const sized = await measureInTurn(await findEntries(trashDir));
  return sized.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** False if the path already exists. */
async function moveWithoutReplacing(
  { name, kind }: FoundItem,
  { from, to }: { from: FolderHandle; to: FolderHandle },
): Promise<boolean> {
  const [storedPath, originalPath] = [from.at(name.toString("latin1")), to.at(name.toString("latin1"))];
  try {
    if (kind !== "directory") {
      // Unlike a rename, a link fails if a file has appeared there meanwhile.
      await link(storedPath, originalPath);
      await unlink(storedPath);
      return true;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return false;
    if (code !== "EXDEV" && code !== "EPERM" && code !== "ENOTSUP") throw error;
  }
  if (await exists(originalPath)) return false;
  try {
    await rename(storedPath, originalPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyAcross(storedPath, originalPath);
  }
  return true;
}

/** To another file system. The copy is complete before the original is deleted. */
async function copyAcross(from: Buffer, to: Buffer): Promise<void> {
  // `cp` cannot be given raw bytes; a name that is not UTF-8 fails, and stays in the trash.
  await cp(from.toString(), to.toString(), {
    recursive: true,
    errorOnExist: true,
    force: false,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  // The folder is open here; for another program it has another name.
  await removeChangingTree(from.toString().replace("/proc/self/", `/proc/${process.pid}/`));
}

async function exists(path: Buffer): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}

async function dropIfEmpty(entryDir: string): Promise<void> {
  try {
    await rmdir(join(entryDir, "files"));
    await removeChangingTree(entryDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
  }
}

async function measureInTurn(entries: FoundEntry[]): Promise<{ entry: FoundEntry; bytes: number }[]> {
  const sized: { entry: FoundEntry; bytes: number }[] = [];
  for (const entry of entries) sized.push({ entry, bytes: await measure(Buffer.from(join(entry.dir, "files"))) });
  return sized;
}

/** The size of all files below, without following links. */
async function measure(path: Buffer): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.size;
  let bytes = 0;
  // A folder that cannot be read counts as empty.
  for (const name of await readdir(path, { encoding: "buffer" }).catch(() => [])) {
    bytes += await measure(Buffer.concat([path, Buffer.from("/"), name]));
  }
  return bytes;
}
