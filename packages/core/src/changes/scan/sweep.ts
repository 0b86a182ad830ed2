import { lstatSync } from "node:fs";
import { FolderHandle } from "./folder-handle.ts";
import type { TreeState } from "./tree-state.ts";

/**
 * Finds the folders of files that changed without an event: writes through a memory map are one of
 * the few things that inotify does not report. It checks the times of every tracked file, and reads none.
 */
export function sweep(root: Buffer, state: TreeState): Set<string> {
  const dirty = new Set<string>();
  for (const folder of state.folders()) {
    let handle: FolderHandle;
    try {
      handle = FolderHandle.open(root, folder);
    } catch {
      continue; // gone, which events report
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
      // Not accessible: it keeps its last known state.
    } finally {
      handle.close();
    }
  }
  return dirty;
}
