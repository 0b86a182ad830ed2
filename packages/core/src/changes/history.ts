import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Change, composeChanges } from "./entry.ts";
import { ChangeFinder } from "./scan/change-finder.ts";
import { IgnoreRules, type OwnPatterns } from "./scan/ignore-rules.ts";
import { type ScanRequest, scan } from "./scan/scanner.ts";
import { KeptSnapshots } from "./store/kept-snapshots.ts";
import { recallRules } from "./store/recall-rules.ts";
import { Repository } from "./store/repository.ts";
import type { SnapshotWriter } from "./store/snapshot-writer.ts";
import { type Snapshot, StateFile } from "./store/state-file.ts";
import { TooLargeError } from "./too-large-error.ts";
import type { ApplyStep } from "./undo/apply-steps.ts";
import { IntentFile } from "./undo/intent-file.ts";
import { UndoFiles } from "./undo/undo-files.ts";
import type { UndoStep } from "./undo/undo-plan.ts";

export interface HistorySettings extends OwnPatterns {
  maxFileBytes: number;
  /** The most content that one scan may store. If the whole store is larger, its oldest snapshots are deleted. */
  maxBytes: number;
}

export interface HistoryOptions extends HistorySettings {
  workspace: string;
  /** The folder in which the history is stored. */
  dir: string;
  searchPath: string;
  /** Whether the kernel reports changes; otherwise everything is scanned each time. */
  watches?: boolean;
  maxEntries?: number;
}

/** An undo that a crash interrupted, and that was completed. */
export interface Resumed {
  id: string;
  seq: number;
}

/**
 * The history of one workspace: its snapshots, the changes between them, and undo.
 *
 * It never touches the project's own repository. Calls are serialised.
 */
export class History {
  readonly #options: HistoryOptions;
  readonly #root: Buffer;
  readonly #repository: Repository;
  readonly #kept: KeptSnapshots;
  readonly #intent: IntentFile;
  readonly #undoFiles: UndoFiles;
  readonly #rules: IgnoreRules;
  readonly #finder: ChangeFinder;
  #queue: Promise<unknown> = Promise.resolve();
  /** The snapshot that is being written; the next one waits for it. */
  #written: Promise<void> = Promise.resolve();
  #isStarted = false;
  #areOldRulesKnown = true;
  /** Bytes added since the size of the store was last checked. */
  #grownBytes = 0;
  #failure: Error | null = null;
  resumed: Resumed | null = null;

  private constructor(options: HistoryOptions, repository: Repository) {
    this.#options = options;
    this.#root = Buffer.from(realpathSync(options.workspace));
    this.#repository = repository;
    this.#intent = new IntentFile(join(options.dir, "undo-under-way.json"));
    this.#undoFiles = new UndoFiles({ root: this.#root, repository, maxFileBytes: options.maxFileBytes });
    const file = new StateFile(join(options.dir, "state.jsonl"));
    this.#kept = new KeptSnapshots({ repository, file, rules: rulesKey(options) });
    this.#rules = new IgnoreRules(options);
    this.#finder = new ChangeFinder({
      root: this.#root,
      state: () => this.#kept.state,
      cookieDir: (options.watches ?? process.platform === "linux") ? join(options.dir, "cookies") : null,
    });
  }

  static async open(options: HistoryOptions): Promise<History> {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    const place = { repository: join(options.dir, "git"), searchPath: options.searchPath };
    const history = new History(options, await Repository.open(place));
    try {
      await history.#start();
    } catch (error) {
      history.close();
      throw error;
    }
    return history;
  }

  /** 1. Reconciles the state with the repository. 2. Completes an interrupted undo. 3. Scans everything. */
  async #start(): Promise<void> {
    await this.#kept.agreeWithRepository();
    const place = { root: this.#root, kept: this.#kept, repository: this.#repository };
    this.#areOldRulesKnown = await recallRules(this.#rules, place);
    const intent = this.#intent.read();
    if (intent) {
      await this.#mark();
      await this.#undoFiles.apply(intent.steps);
    }
    const seq = await this.#mark();
    await this.#written;
    await this.#shrink(this.#options.maxBytes);
    await this.settled();
    if (this.#kept.haveRulesChanged) this.#kept.rewrite();
    this.#isStarted = true;
    if (intent) {
      this.resumed = { id: intent.id, seq };
      this.#intent.drop();
    }
  }

  /** Takes a snapshot and returns its number. Returns the last one if nothing has changed. */
  mark(): Promise<number> {
    return this.#next(() => this.#mark());
  }

  /**
   * Takes a snapshot of changes from before the last one that caused no event, such as writes through a memory map.
   * Null if there are none. Changes since the last one are left for the next.
   */
  markMissed(): Promise<number | null> {
    return this.#next(async () => {
      await this.settled();
      const missed = await this.#finder.findMissed();
      if (missed === null) return null;
      const { lastSeq } = this;
      const seq = await this.#scan(missed);
      return seq === lastSeq ? null : seq;
    });
  }

  /** Waits until the last snapshot is stored. */
  async settled(): Promise<void> {
    await this.#written;
    if (this.#failure) throw this.#failure;
  }

  /** The changes between two snapshots; null if they are no longer kept. */
  async changesBetween(fromSeq: number, toSeq: number): Promise<Change[] | null> {
    const deltas: Change[][] = [];
    for (const { seq, isBase } of this.#kept.snapshots) {
      if (seq <= fromSeq || seq > toSeq) continue;
      // Files found by the first scan of the workspace are not changes.
      if (isBase) return null;
      const delta = await this.#read(() => this.#repository.readDelta(seq));
      if (!delta) return null;
      deltas.push(delta);
    }
    const isCovered = this.#kept.snapshots.some(({ seq }) => seq === fromSeq);
    return isCovered || fromSeq === toSeq ? composeChanges(deltas) : null;
  }

  /** The last snapshot at or before a time; null if the history does not reach back that far. */
  seqAt(atMs: number): number | null {
    return this.#kept.snapshots.findLast((snapshot) => snapshot.atMs <= atMs)?.seq ?? null;
  }

  /** Identifies this history; snapshot numbers are only meaningful within it. */
  get epoch(): string {
    return this.#kept.epoch;
  }

  get lastSeq(): number {
    return this.#kept.lastSeq;
  }

  readBlob(id: string): Promise<Buffer | null> {
    return this.#read(() => this.#repository.readBlob(id));
  }

  /** Tries again after the current write, because a reply may ask for a change before git has stored all of it. */
  async #read<Found>(read: () => Promise<Found | null>): Promise<Found | null> {
    const found = await read();
    if (found !== null) return found;
    await this.#written;
    return read();
  }

  /** Plans an undo of changes against the current files. */
  planUndo(changes: readonly Change[]): Promise<UndoStep[]> {
    return this.#next(async () => {
      await this.#mark();
      await this.#written;
      return this.#undoFiles.plan(changes);
    });
  }

  /**
   * Applies a plan between two snapshots. The caller leaves out unwanted steps.
   * Nothing is written if the current files are not what the plan saw.
   */
  undo(
    id: string,
    steps: readonly UndoStep[],
  ): Promise<{ before: number; after: number; kept: string[] } | { changed: string }> {
    return this.#next(async () => {
      const before = await this.#mark();
      await this.#written;
      const changed = this.#undoFiles.findChanged(steps);
      if (changed !== null) return { changed };
      const wanted = steps.map(({ path, target }): ApplyStep => ({ path, to: target }));
      this.#intent.write({ id, steps: wanted });
      const { kept } = await this.#undoFiles.apply(wanted);
      const after = await this.#mark();
      await this.#written;
      this.#intent.drop();
      return { before, after, kept };
    });
  }

  /** Deletes snapshots older than `beforeMs`, then the oldest ones while the store is too large. Repacks many packs. */
  prune({ beforeMs, maxBytes }: { beforeMs: number; maxBytes: number }): Promise<void> {
    return this.#next(async () => {
      await this.#written;
      const old = this.#kept.snapshots.filter(({ atMs }) => atMs < beforeMs).length;
      // The newest of the old ones stays, as the base of the first change after it.
      const toDrop = Math.max(0, Math.min(old, this.#kept.snapshots.length) - 1);
      if (toDrop > 0) await this.#kept.dropOldest(toDrop);
      else if (this.#repository.packCount() > 40) await this.#repository.repack();
      await this.#shrink(maxBytes);
    });
  }

  async #shrink(maxBytes: number): Promise<void> {
    if (!(await this.#kept.shrinkTo(maxBytes))) this.#failure = TooLargeError.bytes(maxBytes);
  }

  /** Checks the size after every eighth of the limit: agents can write faster than the regular pruning deletes. */
  #noteGrowth(bytes: number): void {
    const { maxBytes } = this.#options;
    this.#grownBytes += bytes;
    if (!this.#isStarted || this.#grownBytes < maxBytes / 8) return;
    this.#grownBytes = 0;
    this.#next(async () => {
      await this.#written;
      await this.#shrink(maxBytes);
    }).catch(() => {}); // the regular pruning tries again, and reports why it fails
  }

  sizeBytes(): number {
    return this.#repository.sizeBytes();
  }

  get snapshots(): readonly Snapshot[] {
    return this.#kept.snapshots;
  }

  get entryCount(): number {
    return this.#kept.state.size;
  }

  get isWatching(): boolean {
    return this.#finder.isWatching;
  }

  close(): void {
    this.#finder.close();
    this.#repository.close();
  }

  #next<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#queue.then(act);
    this.#queue = done.catch(() => {}); // the caller gets the error
    return done;
  }

  async #mark(): Promise<number> {
    await this.settled();
    const dirty = await this.#finder.find();
    return dirty === null ? this.lastSeq : this.#scan(dirty);
  }

  async #scan(dirty: ScanRequest): Promise<number> {
    const isBase = this.#kept.snapshots.length === 0;
    let writer: SnapshotWriter | null = null;
    let keptBytes = 0;
    try {
      const changes = await scan(dirty, {
        root: this.#root,
        state: this.#kept.state,
        rules: this.#rules,
        maxFileBytes: this.#options.maxFileBytes,
        ...(this.#options.maxEntries === undefined ? {} : { maxEntries: this.#options.maxEntries }),
        keep: (id, bytes) => {
          keptBytes += bytes.byteLength;
          if (keptBytes > this.#options.maxBytes) throw TooLargeError.bytes(this.#options.maxBytes);
          this.#repository.remember(id, bytes);
          writer ??= this.#repository.write();
          return writer.keep(id, bytes);
        },
        onFolder: (path, handle, isNew) => this.#finder.watch(path, handle, isNew),
        onFolderGone: (path) => this.#finder.unwatch(path),
      });
      if (changes.length === 0 && !isBase) {
        await (writer as SnapshotWriter | null)?.abandon();
        return this.lastSeq;
      }
      if (!this.#isStarted && !this.#areOldRulesKnown) adoptNewFiles(changes);
      const snapshot: Snapshot = { seq: this.lastSeq + 1, atMs: Date.now(), isBase };
      this.#kept.snapshots.push(snapshot);
      this.#repository.rememberDelta(snapshot.seq, changes);
      this.#written = this.#write(writer ?? this.#repository.write(), snapshot, changes);
      this.#noteGrowth(keptBytes);
      return snapshot.seq;
    } catch (error) {
      // The state is ahead of the repository: only a restart reconciles them.
      this.#failure = error as Error;
      await (writer as SnapshotWriter | null)?.abandon();
      throw error;
    }
  }

  async #write(writer: SnapshotWriter, snapshot: Snapshot, changes: Change[]): Promise<void> {
    try {
      const ref = this.#repository.refOf(snapshot.seq);
      const tree = await writer.finish({ ref, atMs: snapshot.atMs, tree: this.#kept.tree, changes });
      this.#kept.written(snapshot, tree, changes);
    } catch (error) {
      this.#failure = error as Error;
    }
  }
}

/** If the earlier rules are unknown, new files cannot be told apart from files that were ignored. */
function adoptNewFiles(changes: Change[]): void {
  for (const change of changes) if (change.before === null) change.isAdopted = true;
}

function rulesKey({ include, exclude }: OwnPatterns): string {
  return JSON.stringify([include, exclude]);
}
