import { type FSWatcher, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinPath } from "../entry.ts";
import type { FolderHandle } from "./folder-handle.ts";

/** The kernel's default limit for its event queue, used if the limit cannot be read. */
const DEFAULT_QUEUE = 16_384;
/** How long to wait for the kernel to deliver its events. */
const DRAIN_LIMIT_MS = 3_000;

export interface Dirty {
  folders: Set<string>;
  /** Folders that may have been replaced, with everything below them. */
  trees: Set<string>;
  /** Events may be missing: everything has to be scanned. */
  isIncomplete: boolean;
}

/**
 * Tracks which folders of a workspace have changed, from the kernel's events (inotify), with one watch per folder.
 *
 * Node does not report that the kernel dropped events. But the kernel drops them only when its queue is full, so as
 * long as fewer arrived than half of its limit, none was dropped.
 */
export class Watcher {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #cookieDir: string;
  readonly #cookies: FSWatcher;
  readonly #maxEvents: number;
  readonly #isFolder: (path: string) => boolean;
  readonly #waiting = new Map<string, () => void>();
  #dirty = nothingDirty();
  #events = 0;
  #cookie = 0;

  constructor({ cookieDir, isFolder }: { cookieDir: string; isFolder: (path: string) => boolean }) {
    this.#cookieDir = cookieDir;
    this.#isFolder = isFolder;
    this.#maxEvents = Math.floor(queueLength() / 2);
    mkdirSync(cookieDir, { recursive: true, mode: 0o700 });
    this.#cookies = watch(cookieDir, { encoding: "latin1", persistent: false }, (_, name) => {
      if (name !== null) this.#waiting.get(name)?.();
    });
  }

  /** Watches a folder; throws if the kernel has no watches left. */
  add(path: string, handle: FolderHandle, isNew: boolean): void {
    const old = this.#watchers.get(path);
    if (old && !isNew) return;
    const watcher = watch(handle.self(), { encoding: "latin1", persistent: false }, (event, name) =>
      this.#noticed(path, event, name),
    );
    watcher.on("error", () => {
      this.#dirty.isIncomplete = true;
    });
    this.#watchers.set(path, watcher);
    // Closed only now: the kernel treats both as one watch, so no event is lost in between.
    old?.close();
  }

  remove(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }

  /**
   * What has changed so far. All watches share one queue, so once the event of a file written here has arrived,
   * all earlier events have, too.
   */
  async drain(): Promise<Dirty> {
    this.#cookie += 1;
    const name = `c${this.#cookie % 8}`;
    const hasArrived = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, DRAIN_LIMIT_MS, false);
      this.#waiting.set(name, () => {
        clearTimeout(timer);
        resolve(true);
      });
      writeFileSync(join(this.#cookieDir, name), String(this.#cookie), { mode: 0o600 });
    });
    this.#waiting.delete(name);
    const dirty = this.#dirty;
    if (!hasArrived || this.#events >= this.#maxEvents) dirty.isIncomplete = true;
    this.#dirty = nothingDirty();
    this.#events = 0;
    return dirty;
  }

  close(): void {
    this.#cookies.close();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #noticed(folder: string, event: string, name: string | null): void {
    this.#events += 1;
    this.#dirty.folders.add(folder);
    if (event !== "rename") return;
    if (name === null) this.#dirty.trees.add(folder);
    else {
      const path = joinPath(folder, name);
      if (this.#isFolder(path)) this.#dirty.trees.add(path);
    }
  }
}

export function nothingDirty(): Dirty {
  return { folders: new Set(), trees: new Set(), isIncomplete: false };
}

function queueLength(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) || DEFAULT_QUEUE;
  } catch {
    return DEFAULT_QUEUE;
  }
}
