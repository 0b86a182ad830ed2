import { closeSync, constants, openSync } from "node:fs";
import { platform } from "node:os";
import { sep } from "node:path";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const HAS_PROC = platform() === "linux";

/**
 * A folder that is held open, so that what is done in it cannot be led elsewhere by a link that takes its place.
 *
 * Each step from the workspace down is opened without following links. Linux reaches the names in an open folder
 * through `/proc/self/fd`; elsewhere the path is used as it is.
 */
export class FolderHandle {
  readonly #fd: number;
  readonly #path: Buffer;

  private constructor(fd: number, path: Buffer) {
    this.#fd = fd;
    this.#path = path;
  }

  /** Throws as `open` does: `ENOENT`, `ENOTDIR`, and `ELOOP` or `ENOTDIR` where a link is in the way. */
  static open(root: Buffer, path: string): FolderHandle {
    let handle = FolderHandle.#openOne(root);
    for (const name of path === "" ? [] : path.split("/")) {
      const parent = handle;
      try {
        handle = parent.enter(name);
      } finally {
        parent.close();
      }
    }
    return handle;
  }

  static #openOne(path: Buffer): FolderHandle {
    return new FolderHandle(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
  }

  enter(name: string): FolderHandle {
    return FolderHandle.#openOne(this.at(name));
  }

  /** The way to a name in this folder. */
  at(name: string): Buffer {
    return Buffer.concat([this.self(), Buffer.from(sep), Buffer.from(name, "latin1")]);
  }

  /** The way to the folder itself. */
  self(): Buffer {
    return HAS_PROC ? Buffer.from(`/proc/self/fd/${this.#fd}`) : this.#path;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
