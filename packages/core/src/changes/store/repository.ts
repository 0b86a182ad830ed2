import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change } from "../entry.ts";
import { type GitPlace, mustRunGit, runGit } from "./git.ts";
import { ObjectReader } from "./object-reader.ts";
import { SnapshotWriter } from "./snapshot-writer.ts";

const REFS = "refs/belay/";
/** The size of the cache of recently read or written content, which is likely to be read again. */
const CACHE_BYTES = 16_000_000;
const MAX_REMEMBERED_DELTAS = 16;
const MAX_REMEMBERED_CHANGES = 1_000;

/** The bare git repository with the contents of one workspace's history. */
export class Repository {
  readonly #place: GitPlace;
  readonly #reader: ObjectReader;
  readonly #cache = new Map<string, Buffer>();
  #cachedBytes = 0;
  readonly #deltas = new Map<number, Change[]>();

  private constructor(place: GitPlace) {
    this.#place = place;
    this.#reader = new ObjectReader(place);
  }

  static async open(place: GitPlace): Promise<Repository> {
    if (!existsSync(join(place.repository, "HEAD"))) {
      mkdirSync(place.repository, { recursive: true, mode: 0o700 });
      await mustRunGit(place, ["init", "--bare", "--quiet", "--template=", "--object-format=sha1"]);
      // Packs stay packed: unpacking each snapshot costs more than an occasional repack of all.
      for (const [key, value] of [
        ["fastimport.unpackLimit", "1"],
        ["gc.auto", "0"],
        ["core.logAllRefUpdates", "false"],
      ] as const) {
        await mustRunGit(place, ["config", key, value]);
      }
    }
    removeLeftovers(place.repository);
    return new Repository(place);
  }

  write(): SnapshotWriter {
    return new SnapshotWriter(this.#place);
  }

  refOf(seq: number): string {
    return `${REFS}${String(seq).padStart(8, "0")}`;
  }

  async seqs(): Promise<number[]> {
    const out = await mustRunGit(this.#place, ["for-each-ref", "--format=%(refname)", REFS]);
    return out
      .toString("latin1")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => Number(line.slice(REFS.length)));
  }

  /** Keeps the latest changes in memory, because a reply waits for them. */
  rememberDelta(seq: number, changes: Change[]): void {
    if (changes.length > MAX_REMEMBERED_CHANGES) return;
    this.#deltas.set(seq, changes);
    const [oldest] = this.#deltas.keys();
    if (this.#deltas.size > MAX_REMEMBERED_DELTAS && oldest !== undefined) this.#deltas.delete(oldest);
  }

  /** The changes of a snapshot; null if it is not kept. */
  async readDelta(seq: number): Promise<Change[] | null> {
    const known = this.#deltas.get(seq);
    if (known) return known;
    const text = await this.#reader.read(`${this.refOf(seq)}:delta`);
    return text && (JSON.parse(text.toString("utf8")) as Change[]);
  }

  async treeOf(seq: number): Promise<string | null> {
    const { exitCode, stdout } = await runGit(this.#place, [
      "rev-parse",
      "--quiet",
      "--verify",
      `${this.refOf(seq)}:files`,
    ]);
    return exitCode === 0 ? stdout.toString("latin1").trim() : null;
  }

  /** Caches content that was just written, or will be needed soon. */
  remember(id: string, bytes: Buffer): void {
    if (bytes.byteLength > CACHE_BYTES / 8 || this.#cache.has(id)) return;
    this.#cache.set(id, bytes);
    this.#cachedBytes += bytes.byteLength;
    for (const [oldest, content] of this.#cache) {
      if (this.#cachedBytes <= CACHE_BYTES) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= content.byteLength;
    }
  }

  async readBlob(id: string): Promise<Buffer | null> {
    const cached = this.#cache.get(id);
    if (cached) return cached;
    const bytes = await this.#reader.read(id);
    if (bytes) this.remember(id, bytes);
    return bytes;
  }

  /** Stores content that no snapshot contains yet. */
  async keepBlob(bytes: Buffer): Promise<string> {
    return (await mustRunGit(this.#place, ["hash-object", "-w", "--stdin"], bytes)).toString("latin1").trim();
  }

  /** A three-way merge of texts; null if they conflict. */
  async merge(current: Buffer, base: Buffer, other: Buffer): Promise<Buffer | null> {
    const folder = mkdtempSync(join(tmpdir(), "belay-merge-"));
    try {
      const files = ([current, base, other] as const).map((bytes, at) => {
        const path = join(folder, String(at));
        writeFileSync(path, bytes, { mode: 0o600 });
        return path;
      });
      const { exitCode, stdout } = await runGit(this.#place, ["merge-file", "-p", "-q", ...files]);
      return exitCode === 0 ? stdout : null;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Deletes snapshots, and content that no other snapshot needs. */
  async drop(seqs: readonly number[]): Promise<void> {
    const lines = seqs.map((seq) => `delete ${this.refOf(seq)}\n`).join("");
    if (lines !== "") await mustRunGit(this.#place, ["update-ref", "--stdin"], lines);
    await this.repack();
  }

  async repack(): Promise<void> {
    await mustRunGit(this.#place, ["pack-refs", "--all", "--prune"]);
    await mustRunGit(this.#place, ["repack", "-a", "-d", "-q", "--threads=1"]);
    await mustRunGit(this.#place, ["prune", "--expire=now"]);
  }

  packCount(): number {
    return packsOf(this.#place.repository).filter((name) => name.endsWith(".pack")).length;
  }

  sizeBytes(): number {
    const folder = join(this.#place.repository, "objects", "pack");
    // A pack may be replaced in the meantime.
    const sizeOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    return packsOf(this.#place.repository).reduce((sum, name) => sum + sizeOf(name), 0);
  }

  close(): void {
    this.#reader.close();
  }
}

function packsOf(repository: string): string[] {
  const folder = join(repository, "objects", "pack");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Removes what a killed git left behind: temporary packs and stale locks. */
function removeLeftovers(repository: string): void {
  const folder = join(repository, "objects", "pack");
  for (const name of packsOf(repository)) {
    if (name.startsWith("tmp_") || name.startsWith(".tmp-")) rmSync(join(folder, name), { force: true });
  }
  for (const name of ["packed-refs.lock", "packed-refs.new", "HEAD.lock", "config.lock"]) {
    rmSync(join(repository, name), { force: true });
  }
  const refs = join(repository, REFS);
  for (const name of existsSync(refs) ? readdirSync(refs) : []) {
    if (name.endsWith(".lock")) rmSync(join(refs, name), { force: true });
  }
}
