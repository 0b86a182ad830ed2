import { Refused } from "./group-commit.ts";

interface Queue<Entry, Result> {
  /** Writes all of them durably, or throws. A single one that is refused has its error as its result. */
  write(entries: readonly Entry[]): Promise<(Result | Refused)[]>;
  /** How many of the first entries go into one batch; at least one. */
  batchOf(entries: readonly Entry[]): number;
}

interface Waiting<Entry, Result> {
  entry: Entry;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Group commit for a storage that answers later: while one batch is on its way, the next one collects. */
export class QueuedCommit<Entry, Result> {
  readonly #queue: Queue<Entry, Result>;
  readonly #waiting: Waiting<Entry, Result>[] = [];
  #running: Promise<void> | null = null;

  constructor(queue: Queue<Entry, Result>) {
    this.#queue = queue;
  }

  add(entry: Entry): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves once everything added so far is settled. */
  async flush(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Entries of the same turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#queue.batchOf(this.#waiting.map(({ entry }) => entry)));
      try {
        const results = await this.#queue.write(batch.map(({ entry }) => entry));
        for (const [at, { resolve, reject }] of batch.entries()) {
          const result = results[at] as Result | Refused;
          if (result instanceof Refused) reject(result.error);
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = null;
  }
}
