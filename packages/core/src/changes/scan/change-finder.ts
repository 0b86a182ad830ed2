import { parentOf } from "../entry.ts";
import type { FolderHandle } from "./folder-handle.ts";
import { lookAt } from "./look-at.ts";
import { sweep } from "./sweep.ts";
import type { TreeState } from "./tree-state.ts";
import { type Dirty, nothingDirty, Watcher } from "./watcher.ts";

/** Sweeping this many files takes a few hundredths of a second, so it is done every time. */
const CHEAP_ENTRIES = 20_000;
/** Sweeps of larger workspaces take at most a twentieth of the time. */
const SWEEP_SHARE = 20;

interface Folders {
  folders: Set<string>;
  trees: Set<string>;
}

interface Options {
  root: Buffer;
  state: () => TreeState;
  /** The folder for the watcher's marker files; null: changes are not watched, and everything is scanned each time. */
  cookieDir: string | null;
}

/** Finds which folders of a workspace have to be scanned again. */
export class ChangeFinder {
  readonly #options: Options;
  #watcher: Watcher | null = null;
  #needsFullScan = true;
  /** Changes that were reported but not scanned yet. */
  #later = nothingDirty();
  #sweptAt = 0;
  #sweepMs = 0;

  constructor(options: Options) {
    this.#options = options;
    const { cookieDir, state } = options;
    if (cookieDir === null) return;
    this.#watcher = new Watcher({ cookieDir, isFolder: (path) => state().get(path)?.type === "folder" });
  }

  get isWatching(): boolean {
    return this.#watcher !== null;
  }

  /** What has changed so far; null if nothing has. */
  async find(): Promise<Folders | null> {
    await this.#drain();
    const dirty = this.#later;
    this.#later = nothingDirty();
    if (!this.#watcher || dirty.isIncomplete || this.#needsFullScan) {
      this.#needsFullScan = false;
      return { folders: new Set(), trees: new Set([""]) };
    }
    const state = this.#options.state();
    for (const path of state.shared) {
      const now = lookAt(this.#options.root, path, 0)?.entry;
      if (!now || now.ctimeMs !== state.get(path)?.ctimeMs) dirty.folders.add(parentOf(path));
    }
    return dirty.folders.size + dirty.trees.size === 0 ? null : dirty;
  }

  /**
   * Folders with changes from before the last `find` that caused no event, found by the times of every file. Null if
   * there are none, or if no sweep is due. Later changes, which have events, are left for the next `find`.
   */
  async findMissed(): Promise<Folders | null> {
    const isDue = performance.now() - this.#sweptAt >= SWEEP_SHARE * this.#sweepMs;
    const isCheap = this.#options.state().size <= CHEAP_ENTRIES;
    if (!this.#watcher || !(isCheap || isDue)) return null;
    const beganAt = performance.now();
    const missed = sweep(this.#options.root, this.#options.state());
    this.#sweptAt = performance.now();
    this.#sweepMs = this.#sweptAt - beganAt;
    await this.#drain();
    const { folders, trees, isIncomplete } = this.#later;
    const roots = [...trees].map((tree) => (tree === "" ? "" : `${tree}/`));
    for (const folder of missed) {
      if (folders.has(folder) || roots.some((root) => `${folder}/`.startsWith(root))) missed.delete(folder);
    }
    return isIncomplete || missed.size === 0 ? null : { folders: missed, trees: new Set() };
  }

  watch(path: string, handle: FolderHandle, isNew: boolean): void {
    try {
      this.#watcher?.add(path, handle, isNew);
    } catch {
      // The kernel has no watches left, so everything is scanned each time from now on.
      this.close();
      this.#watcher = null;
    }
  }

  unwatch(path: string): void {
    this.#watcher?.remove(path);
  }

  close(): void {
    this.#watcher?.close();
  }

  async #drain(): Promise<void> {
    const dirty: Dirty | undefined = await this.#watcher?.drain();
    if (!dirty) return;
    for (const folder of dirty.folders) this.#later.folders.add(folder);
    for (const tree of dirty.trees) this.#later.trees.add(tree);
    this.#later.isIncomplete ||= dirty.isIncomplete;
  }
}
