import { constants, type Stats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** There may be thousands, and each needs an open file for a moment. */
const READ_AT_ONCE = 32;
const ENTRY_NAME = /^(\d+)-\d+-\d+$/;
const ORIGIN_HEADER = Buffer.from("belay-trash 1\n");
/** The header and the longest path that a system has. */
const MAX_ORIGIN_BYTES = 8_192;

/** Something that was removed. */
export interface TrashItem {
  /** Its id for `restoreFromTrash`; safe in a URL and on a command line. */
  id: string;
  /** Its original path. */
  path: string;
  deletedAt: number;
  kind: "file" | "directory" | "link" | "other";
}

/** An item with what is needed to move it: names are bytes, and may not be UTF-8. */
export interface FoundItem extends TrashItem {
  entryDir: string;
  name: Buffer;
  originalParent: Buffer;
}

export interface FoundEntry {
  name: string;
  dir: string;
  deletedAt: number;
  items: FoundItem[];
}

/**
 * Every entry, oldest first. Agents can write here, so an entry may be anything: one in another format is skipped, and
 * none of them can keep the others from being read.
 */
export async function findEntries(trashDir: string): Promise<FoundEntry[]> {
  const entriesDir = join(trashDir, "entries");
  const names = await readdir(entriesDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found: FoundEntry[] = [];
  for (let start = 0; start < names.length; start += READ_AT_ONCE) {
    const some = names.slice(start, start + READ_AT_ONCE);
    const read = await Promise.all(some.map((name) => readEntry(entriesDir, name)));
    found.push(...read.filter((entry) => entry !== null));
  }
  return found.sort((one, other) => one.deletedAt - other.deletedAt || (one.name < other.name ? -1 : 1));
}

async function readEntry(entriesDir: string, name: string): Promise<FoundEntry | null> {
  const seconds = ENTRY_NAME.exec(name)?.[1];
  if (seconds === undefined) return null;
  const dir = join(entriesDir, name);
  const filesDir = join(dir, "files");
  try {
    // A link in place of a folder would lead out of the trash.
    if (!(await isRealDir(dir)) || !(await isRealDir(filesDir))) return null;
    const parent = parseOrigin(await readOrigin(join(dir, "origin")));
    if (!parent) return null;
    const deletedAt = Number(seconds) * 1_000;
    const items: FoundItem[] = [];
    for (const stored of await readdir(filesDir, { encoding: "buffer" })) {
      const storedPath = Buffer.concat([Buffer.from(`${filesDir}/`), stored]);
      const originalPath = Buffer.concat([parent, Buffer.from(parent.equals(ROOT) ? "" : "/"), stored]);
      items.push({
        id: `${name}/${encodeName(stored)}`,
        path: originalPath.toString(),
        deletedAt,
        kind: kindOf(await lstat(storedPath)),
        entryDir: dir,
        name: stored,
        originalParent: parent,
      });
    }
    return { name, dir, deletedAt, items };
  } catch {
    return null; // Another process has restored or deleted it, or it was never an entry of ours.
  }
}

/** Neither follows a link nor waits for a pipe. */
async function readOrigin(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_ORIGIN_BYTES) throw new Error(`${path} is not what rm writes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const ROOT = Buffer.from("/");

/** The folder's path is everything after the header except the last newline; it may contain newlines itself. */
function parseOrigin(bytes: Buffer): Buffer | null {
  const isOurs = bytes.subarray(0, ORIGIN_HEADER.byteLength).equals(ORIGIN_HEADER);
  const parent = bytes.subarray(ORIGIN_HEADER.byteLength, -1);
  const isPlain =
    parent[0] === 0x2f &&
    !parent
      .toString("latin1")
      .split("/")
      .some((name) => /^\.\.?$/.test(name));
  return isOurs && isPlain ? parent : null;
}

async function isRealDir(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}

function kindOf(stats: Stats): TrashItem["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}

function encodeName(name: Buffer): string {
  const encoded = Array.from(name, (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  });
  return encoded.join("");
}
