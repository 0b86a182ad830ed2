import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../../changes/scan/read-regular-file.ts";

/** Far larger than any real configuration file. */
const MAX_BYTES = 256 * 1024;

/**
 * The `.git` folder of an untrusted workspace. No link, in its place or inside it, may lead us elsewhere, because we
 * have more rights than the program that made it. So the folder is held open, and its files are reached through it.
 */
export class GitFolder {
  readonly #descriptor: number;
  readonly #path: string;

  private constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor;
    this.#path = path;
  }

  /** Null if there is none. A `.git` file points out of the workspace, to where programs behind a wall cannot write. */
  static open(workspace: string): GitFolder | null {
    const path = join(workspace, ".git");
    try {
      const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
      return new GitFolder(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
    } catch {
      return null;
    }
  }

  get id(): string {
    const { dev, ino } = fstatSync(this.#descriptor);
    return `${dev}:${ino}`;
  }

  pathOf(file: string): string {
    return join(this.#path, file);
  }

  /** Null if it does not exist; undefined if it is not an ordinary file of a usual size. */
  read(file: string): string | null | undefined {
    const place = this.#at(file);
    const read = readRegularFile(Buffer.from(place), MAX_BYTES);
    if (read.type === "content") return read.bytes.toString();
    return lstatSync(place, { throwIfNoEntry: false }) === undefined ? null : undefined;
  }

  /** Replaces what is there, even a link or a folder; null removes it. */
  restore(file: string, content: string | null): void {
    const place = this.#at(file);
    // A folder is moved aside: removing it would mean walking through its contents.
    const isFolder = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder) renameSync(place, this.#at(`${file}.${randomBytes(6).toString("hex")}`));
    if (content === null) {
      rmSync(place, { force: true });
      return;
    }
    const { uid, gid } = fstatSync(this.#descriptor);
    const written = this.#at(`${file}.${randomBytes(6).toString("hex")}`);
    const descriptor = openSync(written, "wx", 0o644);
    try {
      writeFileSync(descriptor, content);
      if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid);
    } finally {
      closeSync(descriptor);
    }
    renameSync(written, place);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #at(name: string): string {
    return `/proc/self/fd/${this.#descriptor}/${name}`;
  }
}
