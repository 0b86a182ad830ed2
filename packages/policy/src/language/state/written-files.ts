import type { RememberedFile, ShellMemory } from "./memory.ts";
import type { Stream } from "./values.ts";

/** How many files an agent's memory holds, and how much of their content. */
const MAX_FILES = 1_000;
const MAX_TEXT = 16 * 1024;
const MAX_TOTAL_TEXT = 256 * 1024;
/** The kernel opens no longer path. */
const MAX_PATH = 4_096;

type Files = Readonly<Record<string, RememberedFile>>;

/**
 * The files that an agent is known to have written: their content, or only the fact that they are the agent's. All
 * others belong to the project. A memory that is passed in is not modified; changes are kept separately.
 */
export class WrittenFiles {
  readonly #before: Files;
  readonly #changed = new Map<string, RememberedFile | null>();
  readonly #isEmptyBefore: boolean;

  constructor(before: Files) {
    this.#before = before;
    this.#isEmptyBefore = Object.keys(before).length === 0;
  }

  get isEmpty(): boolean {
    return this.#isEmptyBefore && this.#changed.size === 0;
  }

  get(path: string): RememberedFile | undefined {
    const changed = this.#changed.get(path);
    if (changed !== undefined) return changed ?? undefined;
    return Object.hasOwn(this.#before, path) ? this.#before[path] : undefined;
  }

  /**
   * What is known about a file from its folder: where the folder came from, or that older files in it are the agent's
   * and no longer listed one by one.
   */
  getByFolder(path: string): RememberedFile | undefined {
    if (path.length > MAX_PATH) return undefined;
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = this.get(path.slice(0, slash + 1));
      if (folder !== undefined && (!folder.isFolded || slash === path.lastIndexOf("/"))) return folder;
    }
    return undefined;
  }

  /** The newest files with a known text. */
  newestTexts(count: number): { path: string; text: string; taint: number }[] {
    const paths = [...new Set([...this.#changed.keys()].reverse().concat(Object.keys(this.#before).reverse()))];
    const found: { path: string; text: string; taint: number }[] = [];
    for (const path of paths) {
      const file = this.get(path);
      const text = file?.text ?? file?.added;
      if (file !== undefined && text !== undefined) found.push({ path, text, taint: file.taint });
      if (found.length === count) break;
    }
    return found;
  }

  set(path: string, file: RememberedFile): void {
    // When written again it becomes the newest.
    this.#changed.delete(path);
    this.#changed.set(path, file);
  }

  delete(path: string): void {
    if (Object.hasOwn(this.#before, path)) this.#changed.set(path, null);
    else this.#changed.delete(path);
  }

  /** Whether the agent wrote anything below a folder. */
  hasBelow(folder: string): boolean {
    const prefix = `${folder}/`;
    const isBelow = (path: string) => path.startsWith(prefix) && this.get(path) !== undefined;
    return [...this.#changed.keys()].some(isBelow) || Object.keys(this.#before).some(isBelow);
  }

  /** A copied folder contains copies of its files, and moving it moves them. */
  copyFolder(from: string, to: string): void {
    const prefix = `${from}/`;
    for (const path of new Set([...Object.keys(this.#before), ...this.#changed.keys()])) {
      if (!path.startsWith(prefix)) continue;
      const file = this.get(path);
      if (file !== undefined) this.set(`${to}/${path.slice(prefix.length)}`, file);
    }
  }

  /** The memory to store: the same object that was passed in if nothing changed. */
  toMemory(): Files {
    const lasting = [...this.#changed].filter(([path, file]) => isLasting(path, file));
    if (lasting.length === 0) return this.#before;
    const files = new Map(Object.entries(this.#before));
    for (const [path, file] of lasting) {
      files.delete(path);
      // The origin of an archive's contents is tracked within one command. After that it counts as unknown.
      if (file !== null) files.set(path, file.isUnpacked ? { ...file, taint: 0 } : file);
    }
    fold(files);
    forgetTexts(files);
    return Object.fromEntries(files);
  }
}

/** A file with the content of a stream. */
export function fileWith({ taint, text, listing }: Stream): RememberedFile {
  return { taint, text, ...(listing !== null && { listing }) };
}

/** What is remembered of files alone, apart from any shell. */
export type FileMemory = Pick<ShellMemory, "files" | "links">;

/** Merges what one command changed into a memory that may have changed since it was judged. */
export function mergeFileMemory(now: FileMemory, before: FileMemory, after: FileMemory): FileMemory {
  const files = new WrittenFiles(now.files);
  if (before.files !== after.files) {
    for (const path of Object.keys(before.files)) if (!Object.hasOwn(after.files, path)) files.delete(path);
    for (const [path, file] of Object.entries(after.files)) {
      if (JSON.stringify(before.files[path]) !== JSON.stringify(file)) files.set(path, file);
    }
  }
  const links = Object.entries(after.links).filter(([path, target]) => before.links[path] !== target);
  return {
    files: files.toMemory(),
    links: links.length === 0 ? now.links : { ...now.links, ...Object.fromEntries(links) },
  };
}

/**
 * Folders are tracked only within one command, except those of archives and virtual environments. Otherwise a workspace
 * would stay suspect forever.
 */
function isLasting(path: string, file: RememberedFile | null): boolean {
  return (
    file?.isUnpacked === true ||
    (file?.isBuilt === true && path.endsWith("/")) ||
    (!path.endsWith("/") && !path.startsWith("/dev/fd/"))
  );
}

/**
 * If there are too many files to list, the oldest are remembered by their folder, so that none of them counts as the
 * project's.
 */
function fold(files: Map<string, RememberedFile>): void {
  for (const [path, file] of files) {
    if (files.size <= MAX_FILES) return;
    if (file.isFolded || file.isUnpacked || file.isBuilt) continue;
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    files.delete(path);
    const taint = file.taint | (files.get(folder)?.taint ?? 0);
    files.set(folder, { taint, text: null, isFolded: true });
  }
  // So many folders from elsewhere that not even they can be listed: then what holds them is not the project's own.
  for (const [path, file] of files) {
    if (files.size <= MAX_FILES) return;
    const parent = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    if (!file.isUnpacked || parent === "") continue;
    files.delete(path);
    files.set(parent, { taint: 0, text: null, isUnpacked: true });
  }
}

/** Drops the contents of the oldest files first. The fact that they are the agent's is kept. */
function forgetTexts(files: Map<string, RememberedFile>): void {
  let left = MAX_TOTAL_TEXT;
  for (const [path, file] of [...files].reverse()) {
    const length = (file.text ?? file.added)?.length ?? 0;
    if (length === 0) continue;
    left -= length;
    if (length > MAX_TEXT || left < 0) {
      const { added: _, ...rest } = file;
      files.set(path, { ...rest, text: null });
    }
  }
}
