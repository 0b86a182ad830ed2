import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { BackupEntry } from "./contents.ts";
import { MANIFEST_NAME, type Manifest } from "./manifest.ts";

/** Writes a backup as a tar archive, and collects the checksum of every file for its manifest. */
export class ArchiveWriter {
  readonly stream: Pack = pack();
  readonly files: Record<string, string> = {};
  bytes = 0;

  /** A file, a folder or a link as it is on disk. A file that grows meanwhile is copied up to its size at the start. */
  async add({ name, path, stats }: BackupEntry): Promise<void> {
    const header = { name, mode: stats.mode & 0o777, mtime: stats.mtime };
    if (stats.isDirectory()) return this.#addEmpty({ ...header, type: "directory" });
    if (stats.isSymbolicLink()) return this.#addEmpty({ ...header, type: "symlink", linkname: await readlink(path) });
    await this.addFile(name, path, header.mode);
  }

  async addFile(name: string, path: string, mode = 0o600): Promise<void> {
    // Agents can write in their homes and in the trash: a pipe that has replaced the file is not waited for.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error) => {
      if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(error.code)) return null; // removed or replaced meanwhile
      throw error;
    });
    if (!handle) return;
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return;
      const { size, mtime } = stats;
      const entry = this.stream.entry({ name, size, mode, mtime });
      const hash = createHash("sha256");
      if (size === 0) entry.end();
      else {
        const source = handle.createReadStream({ end: size - 1, autoClose: false });
        await pipeline(source, hashing(hash), entry as unknown as Writable);
      }
      this.files[name] = hash.digest("hex");
      this.bytes += size;
    } finally {
      await handle.close();
    }
  }

  async addText(name: string, text: string, mode = 0o600): Promise<void> {
    this.files[name] = createHash("sha256").update(text).digest("hex");
    await this.#addEmpty({ name, mode }, text);
  }

  async finish(manifest: Omit<Manifest, "files">): Promise<void> {
    const text = JSON.stringify({ ...manifest, files: this.files });
    await this.#addEmpty({ name: MANIFEST_NAME, mode: 0o600 }, text);
    this.stream.finalize();
  }

  #addEmpty(header: Parameters<Pack["entry"]>[0], text = ""): Promise<void> {
    return new Promise((resolve, reject) => {
      this.stream.entry(header, text, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Passes data through, and adds it to a checksum. */
export function hashing(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
