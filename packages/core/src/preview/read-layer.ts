import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { type Change, type Entry, isSameEntry, joinPath } from "../changes/entry.ts";
import { readRegularFile } from "../changes/scan/read-regular-file.ts";
import { blobId } from "../changes/scan/scanner.ts";
import { describeSpecialFile } from "../changes/scan/special-file.ts";
import { CoreError } from "../errors.ts";

export interface Layer {
  /** The folder as it is. */
  lower: Buffer;
  /** The folder as the program left it. */
  merged: Buffer;
  /** What the program wrote; a deletion is a device 0/0. */
  upper: Buffer;
  /** Folders inside it, as byte strings, that have their own layer. */
  skipped: ReadonlySet<string>;
  /** When the program started, to recognise later changes by others. */
  sinceNs: bigint;
}

export interface ReadLimits {
  maxEntries: number;
  /** Larger files are reported as changed, but cannot be applied. */
  maxFileBytes: number;
}

export interface LayerChanges {
  changes: Change[];
  /** Why the changes cannot be applied as they are, a sentence each. */
  problems: Set<string>;
  /** There were more changes than the limit; the rest was not examined. */
  isCut: boolean;
}

/** How much old content is read for display, per file and in total. */
const SHOWN_BYTES = 400_000;
const ALL_SHOWN_BYTES = 32_000_000;
const LAST_CUT = "It changes more files than a preview keeps track of.";

/** Reads what a program changed in a folder from the layer that it wrote to. `keep` stores each file's content. */
export function readLayer(
  layer: Layer,
  limits: ReadLimits,
  keep: (id: string, bytes: Buffer, side: "before" | "after") => void,
): LayerChanges {
  const reader = new LayerReader(layer, limits, keep);
  reader.compareFolder("");
  const changes = reader.changes.filter(({ before, after }) => !isSameEntry(before, after));
  return {
    changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)),
    problems: reader.problems,
    isCut: reader.isCut,
  };
}

class LayerReader {
  readonly changes: Change[] = [];
  readonly problems = new Set<string>();
  isCut = false;
  #shownBytesLeft = ALL_SHOWN_BYTES;
  readonly #layer: Layer;
  readonly #limits: ReadLimits;
  readonly #keep: (id: string, bytes: Buffer, side: "before" | "after") => void;

  constructor(layer: Layer, limits: ReadLimits, keep: (id: string, bytes: Buffer, side: "before" | "after") => void) {
    this.#layer = layer;
    this.#limits = limits;
    this.#keep = keep;
  }

  /** A folder that is in the layer: it, or something in it, was touched. */
  compareFolder(path: string): void {
    const { lower, merged, upper } = this.#layer;
    const touched = new Set(namesIn(at(upper, path)));
    for (const name of new Set([...touched, ...namesIn(at(lower, path)), ...namesIn(at(merged, path))])) {
      const own = joinPath(path, name);
      if (!this.#layer.skipped.has(own)) this.#compare(own, touched.has(name));
    }
  }

  #compare(path: string, isTouched: boolean): void {
    // Others also work in temporary folders: check what exists now, not when the folders were listed.
    const after = statOf(at(this.#layer.merged, path));
    const before = statOf(at(this.#layer.lower, path));
    if (!before && !after) return;
    if (!isTouched && !before && !statOf(at(this.#layer.merged, path))) return;
    // Not in the layer: the same file as below, unless a whole folder replaced its parent.
    if (!isTouched && before && after && isSameThing(before, after)) return;
    if (!isTouched && before && !after && before.ctimeNs >= this.#layer.sinceNs) return;
    if (before?.isDirectory() && after?.isDirectory()) {
      this.#note(path, before, after);
      this.compareFolder(path);
      return;
    }
    if (before?.isDirectory() || after?.isDirectory()) {
      // A folder replaced something else, or the reverse: the whole old tree goes, the whole new one comes.
      this.#note(path, before, after);
      if (before?.isDirectory()) this.#wholeTree(path, "before");
      if (after?.isDirectory()) this.#wholeTree(path, "after");
      return;
    }
    this.#note(path, before, after);
  }

  #wholeTree(folder: string, side: "before" | "after"): void {
    const base = side === "before" ? this.#layer.lower : this.#layer.merged;
    for (const name of namesIn(at(base, folder))) {
      if (this.isCut) return;
      const path = joinPath(folder, name);
      if (this.#layer.skipped.has(path)) continue;
      const stats = statOf(at(base, path));
      if (!stats) continue;
      this.#note(path, side === "before" ? stats : null, side === "after" ? stats : null);
      if (stats.isDirectory()) this.#wholeTree(path, side);
    }
  }

  #note(path: string, before: BigIntStats | null, after: BigIntStats | null): void {
    if (this.changes.length >= this.#limits.maxEntries) {
      this.isCut = true;
      this.problems.add(LAST_CUT);
      return;
    }
    const change: Change = {
      path,
      before: before && this.#entry(path, before, "before", this.#worthReading(before, after)),
      after: after && this.#entry(path, after, "after", this.#limits.maxFileBytes),
    };
    this.changes.push(change);
    if (isSameEntry(change.before, change.after) && isSameOwner(before, after)) return;
    this.#findProblems(before, after, change);
  }

  #findProblems(before: BigIntStats | null, after: BigIntStats | null, { after: entry }: Change): void {
    if (before?.isFile() && before.nlink > 1n && after !== null)
      this.problems.add("It changes a file that has several names (hard links).");
    if (after?.isFile() && after.nlink > 1n) this.problems.add("It makes files with several names (hard links).");
    if (entry?.type === "other" && entry.kind !== "pipe") this.problems.add("It makes a socket or a device.");
    if (entry?.type === "file" && entry.id === null)
      this.problems.add("It writes a file that is too large to be kept.");
    if (!isSameOwner(before, after)) this.problems.add("It changes the owner of files.");
  }

  /** How much of the old content to read: to show it, and to find out whether it equals the new content. */
  #worthReading(before: BigIntStats, after: BigIntStats | null): number {
    if (after?.isFile() && after.size === before.size) return this.#limits.maxFileBytes;
    const limit = Math.min(SHOWN_BYTES, this.#shownBytesLeft);
    if (before.size <= limit) this.#shownBytesLeft -= Number(before.size);
    return limit;
  }

  #entry(path: string, stats: BigIntStats, side: "before" | "after", maxBytes: number): Entry {
    const place = at(side === "before" ? this.#layer.lower : this.#layer.merged, path);
    const stat = {
      mode: Number(stats.mode) & 0o7777,
      mtimeMs: Number(stats.mtimeNs) / 1e6,
      ctimeMs: Number(stats.ctimeNs) / 1e6,
      inode: Number(stats.ino),
    };
    if (stats.isDirectory()) return { type: "folder", ...stat };
    if (stats.isSymbolicLink()) {
      const bytes = readLink(place);
      const id = blobId(bytes);
      this.#keep(id, bytes, side);
      return { type: "link", ...stat, id };
    }
    if (!stats.isFile()) return { ...describeSpecialFile(stats), ...stat };
    const read = readRegularFile(place, maxBytes);
    if (read.type !== "content")
      return { type: "file", ...stat, size: Number(stats.size), id: null, leftOut: read.type };
    const id = blobId(read.bytes);
    this.#keep(id, read.bytes, side);
    return { type: "file", ...stat, size: read.bytes.byteLength, id };
  }
}

function isSameThing(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.ctimeNs === after.ctimeNs &&
    before.mtimeNs === after.mtimeNs &&
    before.mode === after.mode &&
    before.size === after.size
  );
}

/** New files must belong to Belay's user, which cannot create files for other users. */
function isSameOwner(before: BigIntStats | null, after: BigIntStats | null): boolean {
  if (!after) return true;
  const [uid, gid] = before ? [before.uid, before.gid] : [BigInt(process.getuid?.() ?? 0), null];
  return after.uid === uid && (gid === null || after.gid === gid);
}

function namesIn(folder: Buffer): string[] {
  try {
    return readdirSync(folder, { encoding: "buffer" }).map((name) => name.toString("latin1"));
  } catch {
    return []; // it does not exist on this side, or is not a folder
  }
}

/** A link that is something else by now: another program works in the folder. */
function readLink(path: Buffer): Buffer {
  try {
    return readlinkSync(path, { encoding: "buffer" });
  } catch (error) {
    const message = "The folder was changed by another program while the preview was read. Ask for the preview again.";
    throw new CoreError("preview-unavailable", message, { cause: error });
  }
}

function statOf(path: Buffer): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return null;
  }
}

function at(base: Buffer, path: string): Buffer {
  return path === "" ? base : Buffer.concat([base, Buffer.from("/"), Buffer.from(path, "latin1")]);
}
