import type { Change } from "../entry.ts";
import type { TreeState } from "../scan/tree-state.ts";
import type { Repository } from "./repository.ts";
import { type KnownState, newState, type Snapshot, type StateFile } from "./state-file.ts";

/** The snapshots of a history and the state of the workspace at the last one, which are also kept in a file. */
export class KeptSnapshots {
  readonly #repository: Repository;
  readonly #file: StateFile;
  readonly #rules: string;
  #known: KnownState;

  constructor({ repository, file, rules }: { repository: Repository; file: StateFile; rules: string }) {
    this.#repository = repository;
    this.#file = file;
    this.#rules = rules;
    this.#known = file.load();
  }

  get epoch(): string {
    return this.#known.epoch;
  }

  get tree(): string | null {
    return this.#known.tree;
  }

  get state(): TreeState {
    return this.#known.state;
  }

  get snapshots(): Snapshot[] {
    return this.#known.snapshots;
  }

  get lastSeq(): number {
    return this.snapshots.at(-1)?.seq ?? 0;
  }

  /** Whether the last scan used different rules. */
  get haveRulesChanged(): boolean {
    return this.#known.include !== this.#rules;
  }

  /** Records a snapshot in the file, once it is in the repository. */
  written(snapshot: Snapshot, tree: string | null, changes: Change[]): void {
    this.#known.tree = tree;
    this.#file.append(tree, snapshot, changes);
  }

  rewrite(): void {
    this.#known.include = this.#rules;
    this.#file.rewrite(this.#known);
  }

  /** Deletes the oldest snapshots while the store is too large. Returns false if the newest one alone is too large. */
  async shrinkTo(maxBytes: number): Promise<boolean> {
    while (this.#repository.sizeBytes() > maxBytes) {
      if (this.snapshots.length <= 1) return false;
      await this.dropOldest(Math.max(1, Math.floor(this.snapshots.length / 4)));
    }
    return true;
  }

  async dropOldest(count: number): Promise<void> {
    const dropped = this.snapshots.splice(0, count);
    const first = this.snapshots[0];
    if (first) first.isBase = true;
    this.rewrite();
    await this.#repository.drop(dropped.map(({ seq }) => seq));
  }

  /** Reconciles the file with the repository, which is one snapshot ahead after a crash between the two writes. */
  async agreeWithRepository(): Promise<void> {
    const kept = new Set(await this.#repository.seqs());
    const newest = Math.max(0, ...kept);
    const isWhole = this.snapshots.every(({ seq }) => kept.has(seq));
    if (isWhole && newest === this.lastSeq) {
      const extra = [...kept].filter((seq) => !this.snapshots.some((snapshot) => snapshot.seq === seq));
      // Left by a crash while old snapshots were being deleted.
      if (extra.length > 0) await this.#repository.drop(extra);
      return;
    }
    if (isWhole && newest === this.lastSeq + 1 && this.snapshots.length > 0 && (await this.#takeUp(newest))) return;
    // The two contradict each other, so the history is restarted.
    await this.#repository.drop([...kept]);
    this.#known = newState();
    this.rewrite();
  }

  async #takeUp(seq: number): Promise<boolean> {
    const changes = await this.#repository.readDelta(seq);
    if (!changes) return false;
    const snapshot: Snapshot = { seq, atMs: Date.now(), isBase: false };
    this.state.apply(changes);
    this.snapshots.push(snapshot);
    this.written(snapshot, await this.#repository.treeOf(seq), changes);
    return true;
  }
}
