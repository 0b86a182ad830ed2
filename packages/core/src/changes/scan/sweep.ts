import { lstatSync } from "node:fs";
import { FolderHandle } from "./folder-handle.ts";
import type { TreeState } from "./tree-state.ts";

/**
 * Finds the folders of files that changed without an event: what a program writes through a memory map is one of
 * the few things that inotify does not tell. It looks at the times of every followed file, and reads none.
 */
export function sweep(root: Buffer, state: TreeState): Set<string> {
  const dirty = new Set<string>();
  for (const folder of state.folders()) {
    let handle: FolderHandle;
    try {
      handle = FolderHandle.open(root, folder);
    } catch {
      continue; // gone, which the events tell
    }
    try {
      for (const [name, entry] of state.children(folder) ?? []) {
        if (entry.type !== "file") continue;
        const stats = lstatSync(handle.at(name), { throwIfNoEntry: false });
        const isSame =
          stats?.mtimeMs === entry.mtimeMs &&
          stats.ctimeMs === entry.ctimeMs &&
          stats.size === entry.size &&
          !entry.isFresh;
        if (!isSame) {
          dirty.add(folder);
          break;
        }
      }
    } catch {
      // Not for us to look at: it stays as it was last seen.
    } finally {
      handle.close();
    }
  }
  return dirty;
}
