import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { type Change, type Entry, type FileEntry, isSameEntry, joinPath } from "../entry.ts";
import { TooLargeError } from "../too-large-error.ts";
import { FolderHandle } from "./folder-handle.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { readRegularFile } from "./read-regular-file.ts";
import { describeSpecialFile } from "./special-file.ts";
import type { TreeState } from "./tree-state.ts";

/** File systems use a coarse clock for timestamps: two changes within one tick look like one. */
const CLOCK_TICK_MS = 30;

/** More than any project has. A home folder may have more, if Belay was started there by mistake. */
const MAX_ENTRIES = 300_000;

export interface ScanOptions {
  root: Buffer;
  state: TreeState;
  rules: IgnoreRules;
  maxFileBytes: number;
  maxEntries?: number;
  /** Stores new content; the scan waits while too much is pending. */
  keep: (id: string, bytes: Buffer) => void | Promise<void>;
  /** Called before a folder is read, so that no later change in it is missed. */
  onFolder: (path: string, handle: FolderHandle, isNew: boolean) => void;
  onFolderGone: (path: string) => void;
}

/** What to scan: single folders, and whole trees. */
export interface ScanRequest {
  folders: Iterable<string>;
  trees: Iterable<string>;
}

/**
 * Compares folders with their last known state, updates it, and returns the changes.
 *
 * Contents are read only if the times, size or inode of a file differ from the last scan.
 */
export async function scan(request: ScanRequest, options: ScanOptions): Promise<Change[]> {
  const run = new Scan(options);
  // Parents first: a removed folder takes its contents along.
  for (const folder of [...new Set(request.trees)].sort()) await run.look(folder, true);
  for (const folder of [...new Set(request.folders)].sort()) await run.look(folder, false);
  return run.changes;
}

class Scan {
  readonly changes: Change[] = [];
  readonly #options: ScanOptions;
  readonly #done = new Set<string>();
  readonly #maxEntries: number;
  /** The rules at the start of the scan, once some of them have changed. */
  #rulesBefore: IgnoreRules | null = null;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#maxEntries = options.maxEntries ?? MAX_ENTRIES;
  }

  async look(folder: string, isDeep: boolean): Promise<void> {
    if (this.#done.has(folder) || this.#options.state.children(folder) === undefined) return;
    let handle: FolderHandle;
    try {
      handle = FolderHandle.open(this.#options.root, folder);
    } catch (error) {
      if (folder === "") throw error;
      return; // it is gone, or no longer a folder: its parent's scan reports that
    }
    try {
      await this.#read(folder, handle, isDeep);
    } finally {
      handle.close();
    }
  }

  async #read(folder: string, handle: FolderHandle, isDeep: boolean, isNew = false): Promise<void> {
    const { state, rules, onFolder } = this.#options;
    this.#done.add(folder);
    onFolder(folder, handle, isNew || isDeep);
    const areRulesNew = rules.read(folder, handle, () => {
      if (!isNew) this.#rulesBefore ??= rules.copy();
    });
    const isWhole = isDeep || areRulesNew;
    const names = readNames(handle);
    if (names === null) return; // not readable: its contents keep their last known state
    const known = new Map(state.children(folder));
    for (const name of names) {
      const previous = known.get(name) ?? null;
      known.delete(name);
      await this.#lookAt(folder, name, previous, handle, isWhole);
    }
    for (const [name, entry] of known) this.#gone(joinPath(folder, name), entry);
  }

  async #lookAt(folder: string, name: string, previous: Entry | null, handle: FolderHandle, isDeep: boolean) {
    const { state, rules } = this.#options;
    const path = joinPath(folder, name);
    let stats: Stats;
    try {
      stats = lstatSync(handle.at(name));
    } catch (error) {
      if (previous && isMissing(error)) this.#gone(path, previous);
      return;
    }
    const isFolder = stats.isDirectory();
    if (previous === null ? rules.leavesOut(folder, name, isFolder) : rules.excludes(folder, name, isFolder)) {
      if (previous) this.#stopFollowing(path, previous);
      return;
    }
    const entry = await this.#entryFor(stats, previous, handle.at(name));
    if (entry === null) {
      if (previous) this.#gone(path, previous);
      return;
    }
    if (entry !== previous) this.#record(folder, name, previous, entry);
    if (!isFolder) return;
    const isOther = previous?.type !== "folder" || previous.inode !== entry.inode;
    if (isOther || isDeep) await this.#enter(path, name, handle, previous?.type !== "folder");
    else if (state.children(path) === undefined) throw new Error(`The state has no folder ${path}.`);
  }

  async #enter(path: string, name: string, parent: FolderHandle, isNew: boolean): Promise<void> {
    let handle: FolderHandle;
    try {
      handle = parent.enter(name);
    } catch {
      return; // gone again, or not readable
    }
    try {
      await this.#read(path, handle, true, isNew);
    } finally {
      handle.close();
    }
  }

  #record(folder: string, name: string, previous: Entry | null, entry: Entry): void {
    const { state } = this.#options;
    const path = joinPath(folder, name);
    if (previous?.type === "folder" && entry.type !== "folder") this.#forgetBelow(path);
    const isAdopted =
      previous === null && (this.#rulesBefore?.leavesOut(folder, name, entry.type === "folder") ?? false);
    if (!isSameEntry(previous, entry)) {
      this.changes.push({ path, before: previous, after: entry, ...(isAdopted ? { isAdopted: true } : {}) });
    }
    state.set(path, entry);
    if (state.size > this.#maxEntries) throw TooLargeError.files(this.#maxEntries);
  }

  /** It exists but is no longer tracked: not a change, and undo cannot restore it. */
  #stopFollowing(path: string, entry: Entry): void {
    const { length } = this.changes;
    this.#gone(path, entry);
    for (const change of this.changes.slice(length)) change.isAdopted = true;
  }

  #gone(path: string, entry: Entry): void {
    if (entry.type === "folder") this.#forgetBelow(path);
    this.changes.push({ path, before: entry, after: null });
    this.#options.state.remove(path);
  }

  #forgetBelow(path: string): void {
    const { state, rules, onFolderGone } = this.#options;
    for (const [below, inner] of state.below(path)) {
      this.changes.push({ path: below, before: inner, after: null });
      if (inner.type === "folder") onFolderGone(below);
    }
    rules.forgetBelow(path);
    onFolderGone(path);
    state.remove(path);
  }

  /** The previous entry itself if nothing has changed; null if it is gone. */
  async #entryFor(stats: Stats, previous: Entry | null, path: Buffer): Promise<Entry | null> {
    const { maxFileBytes, keep } = this.#options;
    const stat = statOf(stats);
    if (stats.isDirectory()) {
      const isSame = previous?.type === "folder" && previous.mode === stat.mode && previous.inode === stat.inode;
      return isSame ? previous : { type: "folder", ...stat };
    }
    if (stats.isSymbolicLink()) {
      const isSame = previous?.type === "link" && previous.ctimeMs === stat.ctimeMs && previous.inode === stat.inode;
      if (isSame) return previous;
      const target = readLink(path);
      if (target === null) return null;
      const id = blobId(target);
      await keep(id, target);
      return { type: "link", ...stat, id };
    }
    if (!stats.isFile()) return { ...describeSpecialFile(stats), ...stat };
    if (previous?.type === "file" && isUntouched(previous, stats)) return previous;
    const shared = stats.nlink > 1 ? { isShared: true as const } : {};
    const read = readRegularFile(path, maxFileBytes);
    if (read.type !== "content") {
      // Its mode forbids reading it now; its content is the last kept one.
      if (previous?.type === "file" && isSameContent(previous, stats)) return { ...previous, ...stat };
      return { type: "file", ...stat, size: stats.size, id: null, leftOut: read.type, ...shared };
    }
    const fresh = Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) < CLOCK_TICK_MS ? { isFresh: true as const } : {};
    const id = blobId(read.bytes);
    if (previous?.type !== "file" || previous.id !== id) await keep(id, read.bytes);
    return { type: "file", ...statOf(read.stats), size: read.bytes.byteLength, id, ...shared, ...fresh };
  }
}

function readNames(handle: FolderHandle): string[] | null {
  try {
    return readdirSync(handle.self(), { encoding: "latin1" });
  } catch (error) {
    return isMissing(error) ? [] : null;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function statOf(stats: Stats) {
  return { mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, inode: stats.ino };
}

function isUntouched(previous: FileEntry, stats: Stats): boolean {
  return (
    isSameContent(previous, stats) &&
    previous.ctimeMs === stats.ctimeMs &&
    (previous.isShared ?? false) === stats.nlink > 1
  );
}

function isSameContent({ isFresh, size, mtimeMs, inode }: FileEntry, stats: Stats): boolean {
  return !isFresh && size === stats.size && mtimeMs === stats.mtimeMs && inode === stats.ino;
}

function readLink(path: Buffer): Buffer | null {
  try {
    return readlinkSync(path, { encoding: "buffer" });
  } catch {
    return null;
  }
}

/** Git's object id for this content. */
export function blobId(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
