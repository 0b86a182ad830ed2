/**
 * What the history knows about one path in a workspace.
 *
 * Paths are relative to the workspace and kept as byte strings (`latin1`): a file name on Linux can be any bytes, and
 * decoding it as UTF-8 would lose some of them.
 */
export type Entry = FileEntry | LinkEntry | FolderEntry | OtherEntry;

interface Stat {
  /** All twelve permission bits. */
  mode: number;
  mtimeMs: number;
  ctimeMs: number;
  inode: number;
}

export interface FileEntry extends Stat {
  type: "file";
  size: number;
  /** Git's id of the content; null if the content is not kept. */
  id: string | null;
  /** Why the content is not kept. */
  leftOut?: "too-large" | "unreadable";
  /** It has other hard links, so it can change without an event for this path. */
  isShared?: true;
  /** It changed so shortly before it was read that a later change may not show in its times. */
  isFresh?: true;
}

export interface LinkEntry extends Stat {
  type: "link";
  /** Git's id of the target path. */
  id: string;
}

export interface FolderEntry extends Stat {
  type: "folder";
}

/** A named pipe, a socket or a device. Only a pipe can be made again. */
export interface OtherEntry extends Stat {
  type: "other";
  /** Missing in histories that an earlier version of Belay wrote. */
  kind?: "pipe" | "socket" | "device";
  /** The number of a device. */
  device?: number;
}

/** One path, before and after. */
export interface Change {
  path: string;
  before: Entry | null;
  after: Entry | null;
  /** It is tracked now, or no longer, only because the ignore rules changed. Not listed as a change, and not undone. */
  isAdopted?: true;
}

/** Whether two entries look the same to a person: times and inodes are ignored. */
export function isSameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.type !== b.type || a.mode !== b.mode) return false;
  if (a.type === "file" && b.type === "file") {
    if (a.id !== null && b.id !== null) return a.id === b.id;
    // Without the content, size and modification time decide.
    return a.id === b.id && a.size === b.size && a.mtimeMs === b.mtimeMs;
  }
  if (a.type === "other" && b.type === "other") return isSameSpecialFile(a, b);
  return a.type !== "link" || b.type !== "link" || a.id === b.id;
}

type SpecialKind = Pick<OtherEntry, "kind" | "device">;

/** Whether both are the same kind of pipe, socket or device; the mode is ignored. */
export function isSameSpecialFile(a: SpecialKind, b: SpecialKind): boolean {
  if (a.kind === undefined || b.kind === undefined) return true;
  return a.kind === b.kind && a.device === b.device;
}

/** Combines several consecutive changes of the same paths: the first `before` and the last `after`. */
export function composeChanges(deltas: Iterable<readonly Change[]>): Change[] {
  const byPath = new Map<string, Change>();
  for (const delta of deltas) {
    for (const change of delta) {
      const earlier = byPath.get(change.path);
      if (!earlier) byPath.set(change.path, { ...change });
      else {
        earlier.after = change.after;
        // Tracked from then on and changed later: undo restores the content from when tracking began.
        if (earlier.isAdopted && !change.isAdopted) byPath.set(change.path, { ...change });
      }
    }
  }
  return [...byPath.values()]
    .filter(({ before, after, isAdopted }) => !isAdopted && !isSameEntry(before, after))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** A path for display: as UTF-8 if valid, with other bytes written as `\xNN`. */
export function displayPath(path: string): string {
  const bytes = Buffer.from(path, "latin1");
  const text = bytes.toString("utf8");
  if (!text.includes("\ufffd") || Buffer.from(text, "utf8").equals(bytes)) return text;
  return path.replaceAll(/[\x80-\xff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
}

/** The byte string of a path that a person typed. */
export function pathFromText(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
