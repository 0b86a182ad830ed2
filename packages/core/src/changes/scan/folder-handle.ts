import { chmodSync, closeSync, constants, lchmodSync, openSync } from "node:fs";
import { platform } from "node:os";
import { sep } from "node:path";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux: opens a name without needing permission to read it. Node has no constant for it. */
const O_PATH = 0o10000000;
const HAS_PROC = platform() === "linux";

/**
 * An open folder, so that operations in it cannot be redirected by a symlink that replaces it.
 *
 * Each level from the workspace down is opened without following links. On Linux, names in an open folder are reached
 * through `/proc/self/fd`; elsewhere the plain path is used.
 */
export class FolderHandle {
  readonly #fd: number;
  readonly #path: Buffer;

  private constructor(fd: number, path: Buffer) {
    this.#fd = fd;
    this.#path = path;
  }

  /** Throws like `open`: `ENOENT`, `ENOTDIR`, and `ELOOP` or `ENOTDIR` if there is a link on the path. */
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

  static #openOne(path: Buffer, access = O_RDONLY): FolderHandle {
    return new FolderHandle(openSync(path, access | O_DIRECTORY | O_NOFOLLOW), path);
  }

  /** `toList: false`: only to reach names in it, for which a folder need not be readable. */
  enter(name: string, { toList = true } = {}): FolderHandle {
    return FolderHandle.#openOne(this.at(name), toList || !HAS_PROC ? O_RDONLY : O_PATH);
  }

  /** A path to a name in this folder. */
  at(name: string): Buffer {
    return Buffer.concat([this.self(), Buffer.from(sep), Buffer.from(name, "latin1")]);
  }

  /** Changes the mode of a name in this folder; fails if it is a link. */
  chmod(name: string, mode: number): void {
    if (!HAS_PROC) {
      lchmodSync(this.at(name), mode);
      return;
    }
    const fd = openSync(this.at(name), O_PATH | O_NOFOLLOW);
    try {
      chmodSync(`/proc/self/fd/${fd}`, mode);
    } finally {
      closeSync(fd);
    }
  }

  /** A path to the folder itself. */
  self(): Buffer {
    return HAS_PROC ? Buffer.from(`/proc/self/fd/${this.#fd}`) : this.#path;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
