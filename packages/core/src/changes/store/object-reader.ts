import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { type GitPlace, spawnGit } from "./git.ts";

interface Wanted {
  resolve: (content: Buffer | null) => void;
  reject: (error: Error) => void;
}

/** Reads objects of a repository through one persistent `git cat-file`. */
export class ObjectReader {
  readonly #place: GitPlace;
  #child: ChildProcessWithoutNullStreams | null = null;
  #wanted: Wanted[] = [];
  #pending: Buffer = Buffer.alloc(0);

  constructor(place: GitPlace) {
    this.#place = place;
  }

  /** Null if there is no such object. */
  read(name: string): Promise<Buffer | null> {
    return new Promise((resolve, reject) => {
      this.#child ??= this.#start();
      this.#wanted.push({ resolve, reject });
      this.#child.stdin.write(`${name}\n`);
    });
  }

  close(): void {
    this.#child?.kill("SIGKILL");
    this.#lose(new Error("The history was closed."));
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawnGit(this.#place, ["cat-file", "--batch"]);
    const lose = () => {
      if (child === this.#child) this.#lose(new Error("git cat-file ended."));
    };
    child.on("error", lose);
    child.on("close", lose);
    child.stdin.on("error", lose);
    child.stderr.resume();
    child.stdout.on("data", (chunk: Buffer) => {
      this.#pending = this.#pending.byteLength === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      this.#take();
    });
    return child;
  }

  #lose(error: Error): void {
    this.#child = null;
    this.#pending = Buffer.alloc(0);
    for (const { reject } of this.#wanted.splice(0)) reject(error);
  }

  #take(): void {
    for (;;) {
      const end = this.#pending.indexOf(10);
      if (end < 0) return;
      const header = this.#pending.toString("latin1", 0, end).split(" ");
      if (header.at(-1) === "missing" || header.at(-1) === "ambiguous") {
        this.#pending = this.#pending.subarray(end + 1);
        this.#wanted.shift()?.resolve(null);
        continue;
      }
      const size = Number(header.at(-1));
      if (this.#pending.byteLength < end + 1 + size + 1) return;
      const content = Buffer.from(this.#pending.subarray(end + 1, end + 1 + size));
      this.#pending = this.#pending.subarray(end + 1 + size + 1);
      this.#wanted.shift()?.resolve(content);
    }
  }
}
