import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, Entry } from "../entry.ts";
import { type GitPlace, spawnGit } from "./git.ts";

/** How many bytes git may have left to read before the scan waits. */
const MAX_BUFFERED_BYTES = 16_000_000;
/** With more content than this, git starts before the scan has ended. */
const START_AT_BYTES = 1_000_000;

export interface SnapshotToWrite {
  ref: string;
  atMs: number;
  /** Git's id of the tree before the changes; null if there is none. */
  tree: string | null;
  changes: readonly Change[];
}

/**
 * Writes one snapshot with `git fast-import`, which stores content unchanged: it applies no attributes, filters or
 * line-ending conversion, and needs no index or working tree. No ref points to the snapshot until it is finished.
 *
 * Starting a process takes longer than scanning what a typical command changed, and replies wait for the scan. So git
 * starts when the scan has ended, unless there is too much to hold in memory.
 */
export class SnapshotWriter {
  readonly #place: GitPlace;
  readonly #kept = new Set<string>();
  #held: Buffer[] = [];
  #heldBytes = 0;
  #git: FastImport | null = null;

  constructor(place: GitPlace) {
    this.#place = place;
  }

  async keep(id: string, bytes: Buffer): Promise<void> {
    if (this.#kept.has(id)) return;
    this.#kept.add(id);
    this.#held.push(Buffer.from(`blob\ndata ${bytes.byteLength}\n`), bytes, Buffer.from("\n"));
    this.#heldBytes += bytes.byteLength;
    if (this.#heldBytes > START_AT_BYTES) await this.#start().drained();
  }

  /** Finishes the snapshot; returns the id of its tree, or null if it has no files. */
  async finish({ ref, atMs, tree, changes }: SnapshotToWrite): Promise<string | null> {
    const delta = Buffer.from(JSON.stringify(changes), "utf8");
    const lines = [
      `commit ${ref}`,
      `committer Belay <belay@localhost> ${Math.floor(atMs / 1000)} +0000`,
      "data 0",
      ...(tree === null ? [] : [`M 040000 ${tree} files`]),
      ...changes
        .filter(({ before, after }) => isKept(before) && !isKept(after))
        .map(({ path }) => `D ${quote(`files/${path}`)}`),
      ...changes.flatMap(({ path, after }) =>
        after && isKept(after) ? [`M ${gitMode(after)} ${after.id} ${quote(`files/${path}`)}`] : [],
      ),
      "M 100644 inline delta",
      `data ${delta.byteLength}`,
    ];
    // Callers that wait for the snapshot's number continue first.
    await nextTurn();
    const git = this.#start();
    git.write(Buffer.from(`${lines.join("\n")}\n`, "latin1"));
    git.write(delta);
    git.write(Buffer.from('\nls "files"\ndone\n'));
    return /^040000 tree ([0-9a-f]+)\t/.exec(await git.finish())?.[1] ?? null;
  }

  /** Aborts the snapshot and leaves nothing behind. */
  async abandon(): Promise<void> {
    this.#held = [];
    await this.#git?.kill();
  }

  /** Starts git if it has not started yet, and sends it the content held so far. */
  #start(): FastImport {
    this.#git ??= new FastImport(this.#place);
    for (const bytes of this.#held) this.#git.write(bytes);
    this.#held = [];
    this.#heldBytes = 0;
    return this.#git;
  }
}

/** A running `git fast-import`. */
class FastImport {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<number | null>;
  #stdout = "";
  #stderr = "";
  #failure: Error | null = null;

  constructor(place: GitPlace) {
    this.#child = spawnGit(place, ["fast-import", "--quiet", "--done", "--force", "--depth=10"]);
    this.#child.stdout.setEncoding("latin1").on("data", (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.#child.stdin.on("error", () => {}); // it ended early; its exit code says why
    this.#closed = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        this.#failure = error;
        resolve(null);
      });
      this.#child.on("close", resolve);
    });
  }

  write(bytes: Buffer): void {
    this.#child.stdin.write(bytes);
  }

  /** Waits while git has too much left to read. */
  async drained(): Promise<void> {
    if (this.#child.stdin.writableLength <= MAX_BUFFERED_BYTES) return;
    await Promise.race([once(this.#child.stdin, "drain").catch(() => {}), this.#closed]);
  }

  /** Its output, once it has exited successfully. */
  async finish(): Promise<string> {
    this.#child.stdin.end();
    const exitCode = await this.#closed;
    if (this.#failure) throw this.#failure;
    if (exitCode !== 0) throw new Error(`git fast-import failed (${exitCode}): ${this.#stderr.trim().slice(0, 500)}`);
    return this.#stdout;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }
}

function isKept(entry: Entry | null): entry is Extract<Entry, { type: "file" | "link" }> & { id: string } {
  return (entry?.type === "file" || entry?.type === "link") && entry.id !== null;
}

function gitMode(entry: Entry): string {
  if (entry.type === "link") return "120000";
  return entry.mode & 0o111 ? "100755" : "100644";
}

/** A path in git's quoting, byte by byte. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`))}"`;
}
