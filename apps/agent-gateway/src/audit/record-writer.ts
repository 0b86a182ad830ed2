import type { AuditEvent } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { Checkpoint, Checkpoints } from "./signing/checkpoints.ts";
import { Signatures } from "./signing/signatures.ts";
import { findChainLoss } from "./storage/chain-start.ts";
import { GroupCommit } from "./storage/group-commit.ts";
import { QueuedCommit } from "./storage/queued-commit.ts";
import type { Batch, Entry, Head, RecordStorage } from "./storage/storage.ts";
import { ROWS_PER_CHECKPOINT } from "./verify.ts";

const CHECK_AT_MOST_EVERY_MS = 1000;

/** Counts written and failed rows. */
export interface AuditWatch {
  rowWritten(event: Pick<AuditEvent, "type" | "detail">, seconds: number): void;
  rowRefused(): void;
}

export interface RecordWriterOptions {
  storage: RecordStorage;
  now: () => number;
  checkpoints: Checkpoints;
  watch: AuditWatch | null;
}

/** How entries become rows, in batches. */
interface Commits {
  add(entry: Entry): Promise<AuditEvent[]>;
  flush(): Promise<void>;
}

/**
 * The only writer of the chain: it knows where the chain ends, has it signed in time, and refuses every row once
 * something is lost.
 */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  readonly #commits: Commits;
  readonly #signatures: Signatures;
  #head: Head;
  #lastBatchRows = 0;
  #problem: string | null = null;
  /** Written rows are lost, which cannot be repaired while this runs. */
  #loss: string | null;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    const { storage, checkpoints, now } = options;
    const { start } = storage;
    this.#head = { seq: start.seq, hash: start.hash };
    this.#commits = this.#openCommits();
    this.#signatures = new Signatures({
      checkpoints,
      storage,
      genesis: start.genesis,
      others: storage.others,
      now,
      head: () => this.#head,
      isDamaged: () => this.#loss !== null,
      notOnDisk: (error) => this.#notOnDisk(error),
    });
    const loss = findChainLoss(start, checkpoints.latest(), storage.signedHash);
    this.#loss =
      loss &&
      `The record in ${storage.name} is damaged, so nothing is done. ${loss} Restore it from a backup. To continue without the lost rows, move ${checkpoints.file} elsewhere and keep it, since it proves what the record contained; then start again.`;
  }

  /** The end of the chain. */
  get head(): Head {
    return this.#head;
  }

  /** Null if the last row could be written. */
  get problem(): string | null {
    return this.#loss ?? this.#problem;
  }

  get loss(): string | null {
    return this.#loss;
  }

  async add(entry: Entry): Promise<AuditEvent[]> {
    const startedAt = performance.now();
    const written = await this.#commits.add(entry);
    const seconds = (performance.now() - startedAt) / 1000;
    for (const row of written) this.#options.watch?.rowWritten(row, seconds);
    return written;
  }

  /** Resolves once all pending rows are written. */
  flush(): Promise<void> {
    return this.#commits.flush();
  }

  /** Checks whether rows can be written now, by writing something else, and what prevents it. */
  async check(): Promise<string | null> {
    if (performance.now() - this.#checkedAt < CHECK_AT_MOST_EVERY_MS) return this.problem;
    this.#checkedAt = performance.now();
    try {
      this.#requireWhole();
      await this.#options.storage.tryWriting(this.#head);
      this.#problem = null;
    } catch (error) {
      this.#refusal(error); // stored as the problem
    }
    return this.problem;
  }

  /** Signs the rows up to this one, so that they can be removed without breaking the chain. */
  async seal({ seq, hash }: Pick<Checkpoint, "seq" | "hash">): Promise<void> {
    const { storage, checkpoints, now } = this.#options;
    storage.flushNow();
    const { genesis } = storage.start;
    this.#orRefuse(() => checkpoints.append({ genesis, seq, hash, at: now(), seals: true }));
    await storage.others?.publish(checkpoints.publicKey, checkpoints.lastSeal());
  }

  /** The same in the place of a gateway that was retired. */
  async sealFor({ gateway, ...row }: { gateway: number; seq: number; hash: string }): Promise<void> {
    const { storage, checkpoints, now } = this.#options;
    const chain = (await storage.others?.list([gateway]))?.find((other) => other.gateway === gateway);
    if (!chain) throw new Error(`There is no chain of gateway ${gateway}.`);
    const sealed = { gateway, genesis: chain.genesis, ...row, seals: true as const };
    const { genesis } = storage.start;
    const line = this.#orRefuse(() => checkpoints.append({ genesis, ...this.#head, at: now(), others: [sealed] }));
    await storage.others?.publishFor(gateway, line);
  }

  /** Signs what the other gateways wrote, if there are any: a gateway that writes nothing also has to notice what they lose. */
  async witness(): Promise<void> {
    await this.#signatures.witness();
  }

  /** Signs all rows, if possible. Nothing may be added afterwards. */
  async close(): Promise<void> {
    await this.flush();
    await this.#signatures.close();
  }

  #openCommits(): Commits {
    const { storage } = this.#options;
    const { writes } = storage;
    if (writes.type === "queued") {
      const write = async (entries: readonly Entry[]) => {
        this.#prepare(entries);
        const batch = await writes.write(entries, this.#head).catch((error: unknown) => {
          throw this.#refusal(error);
        });
        return this.#advance(batch);
      };
      return new QueuedCommit<Entry, AuditEvent[]>({ write, batchOf });
    }
    const commits = new GroupCommit<Entry, AuditEvent[]>({
      write: (entries) => {
        this.#prepare(entries);
        return this.#advance(this.#orRefuse(() => writes.write(entries, this.#head)));
      },
      isSeenAtOnce: (entry) => entry.isSeenAtOnce,
      onWritten: (entry) => entry.onCommitted?.(),
      batchOf,
      flush: () => storage.flush().catch((error: unknown) => this.#notOnDisk(error)),
      // If another batch like the last one would leave too many rows unsigned, they are signed before it comes.
      afterFlush: () => (this.#signatures.isDueBefore(this.#lastBatchRows) ? this.#signatures.signSoon() : null),
      flushNow: () => {
        try {
          storage.flushNow();
        } catch (error) {
          this.#notOnDisk(error);
        }
      },
    });
    return { add: (entry) => commits.add(entry), flush: async () => commits.flushNow() };
  }

  #prepare(entries: readonly Entry[]): void {
    this.#requireWhole();
    this.#lastBatchRows = rowsOf(entries);
    if (this.#signatures.isDueBefore(this.#lastBatchRows)) this.#orRefuse(() => this.#signatures.signNow());
  }

  #advance({ written, head }: Batch): Batch["written"] {
    this.#problem = null;
    this.#head = head;
    this.#signatures.plan();
    return written;
  }

  /** After a failed fsync, the next may succeed without writing the lost pages, so nothing more is written. */
  #notOnDisk(error: unknown): never {
    const why = error instanceof Error ? error.message : String(error);
    this.#loss = `The disk of Belay's data folder could not store the record (${why}), so nothing is done. Check the disk, then start Belay again.`;
    this.#options.watch?.rowRefused();
    throw new GatewayError("record-not-written", this.#loss, { cause: error });
  }

  #requireWhole(): void {
    this.#loss ??= this.#options.storage.findLoss();
    if (this.#loss === null) return;
    this.#options.watch?.rowRefused();
    throw new GatewayError("record-not-whole", this.#loss);
  }

  #orRefuse<Result>(write: () => Result): Result {
    try {
      const result = write();
      this.#problem = null;
      return result;
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  #refusal(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error; // it already says what is wrong
    const why = error instanceof Error ? error.message : String(error);
    const message = `The record could not be written (${why}), so nothing was done. An administrator has to check ${this.#options.storage.whatToCheck}.`;
    this.#problem = message;
    this.#options.watch?.rowRefused();
    return new GatewayError("record-not-written", message, { cause: error });
  }
}

/** A batch never has more rows than may be without a signature. */
function batchOf(entries: readonly Entry[]): number {
  let rows = 0;
  const tooMany = entries.findIndex(({ events }) => {
    rows += events.length;
    return rows > ROWS_PER_CHECKPOINT;
  });
  return tooMany < 0 ? entries.length : Math.max(1, tooMany);
}

function rowsOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { events }) => sum + events.length, 0);
}
