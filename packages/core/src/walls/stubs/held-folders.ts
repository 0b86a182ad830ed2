import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { CoreError } from "../../errors.ts";

/** Open descriptors of folders, by path. */
export type HeldFolders = Map<string, number>;

/**
 * Opens folders to work on names in them: the agent may replace a folder with a link at any moment, and Belay has more
 * rights than the agent. A folder behind a link is refused.
 */
export function openFolders(paths: readonly string[]): HeldFolders {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const folders: HeldFolders = new Map();
  try {
    for (const path of new Set(paths)) {
      const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      folders.set(path, descriptor);
      if (readlinkSync(`/proc/self/fd/${descriptor}`) !== path) {
        throw new CoreError("spawn-failed", `"${path}" is behind a link. Nothing was started.`);
      }
    }
    return folders;
  } catch (error) {
    closeFolders(folders);
    throw error;
  }
}

export function closeFolders(folders: HeldFolders): void {
  for (const descriptor of folders.values()) closeSync(descriptor);
  folders.clear();
}
