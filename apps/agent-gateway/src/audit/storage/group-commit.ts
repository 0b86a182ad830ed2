/** How a batch is written to disk. */
export interface Disk<Entry, Result> {
  /** Writes all of them, or throws. A single one that is refused has its error as its result. */
  write(entries: readonly Entry[]): (Result | Refused)[];
  /** Resolves once the data is on disk. */
  flush(): Promise<void>;
  flushNow(): void;
  /** How many of the first entries go into one batch; at least one. */
  batchOf(entries: readonly Entry[]): number;
  /** Called after each batch is on disk and acknowledged. If it returns a promise, the next batch waits for it. */
  afterFlush(): Promise<void> | null;
  /** The entry is written, but not on disk yet. */
  onWritten(entry: Entry): void;
  /** What it changes is seen by others as soon as it is written, so its caller has to hear of it in the same turn. */
  isSeenAtOnce(entry: Entry): boolean;
}

export class Refused {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

interface Waiting<Entry, Result> {
  entry: Entry;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: writes the rows of several callers to disk together.
 *
 * 1. Rows from one turn of the event loop are written at its end, in one transaction.
 * 2. While the disk is busy with one batch the next one collects: the slower the disk, the larger the batches.
 * 3. A row is acknowledged only once it is on disk.
 */
export class GroupCommit<Entry, Result> {
  readonly #disk: Disk<Entry, Result>;
  #waiting: Waiting<Entry, Result>[] = [];
  #turn: NodeJS.Immediate | undefined;
  #isFlushing = false;

  constructor(disk: Disk<Entry, Result>) {
    this.#disk = disk;
  }

  add(entry: Entry): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#plan();
    });
  }

  /** Writes all pending rows, and returns once they are on disk. */
  flushNow(): void {
    for (let batch = this.#write(); batch.length > 0; batch = this.#write()) {
      try {
        this.#disk.flushNow();
      } catch (error) {
        for (const { fail } of batch) fail(error);
        continue;
      }
      for (const { settle } of batch) settle();
    }
  }

  #plan(): void {
    if (!this.#isFlushing) this.#turn ??= setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.#waiting.some(({ entry }) => this.#disk.isSeenAtOnce(entry))) {
      this.flushNow();
      return;
    }
    const batch = this.#write();
    if (batch.length === 0) return;
    this.#isFlushing = true;
    const done = () => {
      this.#isFlushing = false;
      if (this.#waiting.length > 0) this.#plan();
    };
    this.#disk.flush().then(
      () => {
        for (const { settle } of batch) settle();
        const after = this.#disk.afterFlush();
        if (after === null) done();
        else void after.then(done, done);
      },
      (error: unknown) => {
        for (const { fail } of batch) fail(error);
        done();
      },
    );
  }

  #write(): Written[] {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#waiting.length === 0) return [];
    const count = this.#disk.batchOf(this.#waiting.map(({ entry }) => entry));
    const batch = this.#waiting.splice(0, count);
    let results: (Result | Refused)[];
    try {
      results = this.#disk.write(batch.map(({ entry }) => entry));
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return this.#write();
    }
    return batch.map(({ entry, resolve, reject }, at) => {
      const result = results[at] as Result | Refused;
      if (!(result instanceof Refused)) this.#disk.onWritten(entry);
      const settle = () => (result instanceof Refused ? reject(result.error) : resolve(result));
      return { settle, fail: reject };
    });
  }
}

interface Written {
  settle: () => void;
  fail: (error: unknown) => void;
}
