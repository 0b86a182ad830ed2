import { createHash } from "node:crypto";
import { type Change, displayPath } from "./entry.ts";
import { History, type HistoryOptions, type Resumed } from "./history.ts";
import {
  type ChangeCounts,
  type ChangedPath,
  countChanges,
  describeChange,
  diffChange,
  type Hunk,
} from "./line-diff.ts";
import { TooLargeError } from "./too-large-error.ts";
import type { UndoStep } from "./undo/undo-plan.ts";

/** Files beyond this number are listed without line counts. */
const MAX_COUNTED = 500;
const MAX_LISTED = 2_000;
/** A workspace that was too large is scanned again after this time, or with other settings. */
const RETRY_LARGE_MS = 10 * 60_000;

/** Two snapshots of one workspace. */
export interface ChangeRange {
  workspace: string;
  epoch: string;
  fromSeq: number;
  toSeq: number;
}

export interface Moment {
  epoch: string;
  seq: number;
}

/** A snapshot, and the interrupted undo that was completed when its history was opened. */
export type Marked = Moment & { resumed: Resumed | null };

/** A changed path, with its id for further requests. */
export type ListedChange = ChangedPath & { id: string };

export interface ChangeList {
  counts: ChangeCounts;
  paths: ListedChange[];
  /** How many more there are than are listed. */
  unlisted: number;
}

export interface PlannedStep {
  id: string;
  path: string;
  action: UndoStep["action"];
  /** What happens to it: it is removed, created again, or gets its earlier content. */
  effect: "remove" | "create" | "change";
  reason: string | null;
}

export interface UndoPlan {
  steps: PlannedStep[];
  /** Identifies this exact plan, so that only the plan that a person confirmed is carried out. */
  fingerprint: string;
}

export interface UndoRequest {
  /** Identifies the undo; one that a crash interrupted is completed under this id. */
  id: string;
  /** Only these paths, by id; all of them if not given. */
  paths?: readonly string[];
  /** Conflicts to overwrite, by id. The others stay as they are. */
  overwrite?: readonly string[];
  /** Continues despite conflicts, and leaves those as they are. */
  skipsConflicts?: boolean;
  /** The plan that was shown. If it is outdated, nothing is done. */
  fingerprint?: string;
}

export type UndoResult =
  | { status: "undone"; range: ChangeRange; undone: number; skipped: string[]; keptFolders: string[] }
  /** Something has changed since, so nothing was done: a person has to choose. */
  | { status: "conflicts"; plan: UndoPlan }
  /** The plan is outdated. */
  | { status: "changed"; plan: UndoPlan }
  | { status: "not-kept" };

export interface HistoryStatus {
  entries: number;
  snapshots: number;
  oldestMs: number | null;
  bytes: number;
  isWatching: boolean;
}

export type WorkspaceOptions = Omit<HistoryOptions, "workspace">;

/** The histories of all workspaces, each opened on first use. */
export class HistoryService {
  readonly #open = new Map<string, { key: string; history: Promise<History> }>();
  readonly #tooLarge = new Map<string, { key: string; error: TooLargeError; atMs: number }>();

  /** Takes a snapshot of the current state and returns its number. */
  async mark(workspace: string, options: WorkspaceOptions): Promise<Marked> {
    const history = await this.#history(workspace, options);
    const seq = await this.#orClose(workspace, history.mark());
    const { resumed } = history;
    history.resumed = null;
    return { epoch: history.epoch, seq, resumed };
  }

  /** Takes a snapshot of changes from before the last one that caused no event; null if there are none. */
  async markMissed(workspace: string, options: WorkspaceOptions): Promise<Moment | null> {
    const history = await this.#history(workspace, options);
    const seq = await this.#orClose(workspace, history.markMissed());
    return seq === null ? null : { epoch: history.epoch, seq };
  }

  /**
   * Takes a snapshot, and lists what has changed since an earlier one: one call, because a reply waits for it.
   * The list is null if the earlier one is no longer kept.
   */
  async markAndList(
    workspace: string,
    from: Moment,
    options: WorkspaceOptions,
  ): Promise<Marked & { list: ChangeList | null }> {
    const marked = await this.mark(workspace, options);
    const range = { workspace, epoch: from.epoch, fromSeq: from.seq, toSeq: marked.seq };
    return { ...marked, list: await this.list(range, options) };
  }

  /** The changes in a range; null if it is no longer kept. */
  async list(range: ChangeRange, options: WorkspaceOptions): Promise<ChangeList | null> {
    const found = await this.#changes(range, options);
    if (!found) return null;
    const { history, changes } = found;
    const readBlob = (id: string) => history.readBlob(id);
    const paths: ListedChange[] = [];
    for (const [at, change] of changes.entries()) {
      const described = await describeChange(change, at < MAX_COUNTED ? readBlob : async () => null);
      paths.push({ id: change.path, ...described });
    }
    const listed = paths.slice(0, MAX_LISTED);
    return { counts: countChanges(paths), paths: listed, unlisted: paths.length - listed.length };
  }

  /** The changed lines of one path; null if it is not text. */
  async diff(range: ChangeRange, id: string, options: WorkspaceOptions): Promise<Hunk[] | null> {
    const found = await this.#changes(range, options);
    const change = found?.changes.find(({ path }) => path === id);
    return found && change ? diffChange(change, (blob) => found.history.readBlob(blob)) : null;
  }

  /** The content of a path before or after; null if none is kept. */
  async content(
    range: ChangeRange,
    id: string,
    side: "before" | "after",
    options: WorkspaceOptions,
  ): Promise<Uint8Array | null> {
    const found = await this.#changes(range, options);
    const entry = found?.changes.find(({ path }) => path === id)?.[side];
    if (!found || entry?.type !== "file" || entry.id === null) return null;
    return found.history.readBlob(entry.id);
  }

  async plan(range: ChangeRange, paths: readonly string[] | null, options: WorkspaceOptions): Promise<UndoPlan | null> {
    const planned = await this.#plan(range, options);
    return planned && toPlan(planned.steps, paths);
  }

  async undo(range: ChangeRange, request: UndoRequest, options: WorkspaceOptions): Promise<UndoResult> {
    const planned = await this.#plan(range, options);
    if (!planned) return { status: "not-kept" };
    const { history } = planned;
    const only = request.paths ?? null;
    const plan = toPlan(planned.steps, only);
    const steps = planned.steps.filter(({ path }) => only === null || only.includes(path));
    if (request.fingerprint !== undefined && request.fingerprint !== plan.fingerprint)
      return { status: "changed", plan };
    const overwritten = new Set(request.overwrite ?? []);
    const open = steps.filter(({ action, path }) => action === "conflict" && !overwritten.has(path));
    if (open.length > 0 && !request.skipsConflicts) return { status: "conflicts", plan };
    const left = new Set([...open, ...steps.filter(({ action }) => action === "impossible")]);
    const wanted = steps.filter((step) => step.action !== "nothing" && !left.has(step));
    const done = await history.undo(request.id, wanted);
    if ("changed" in done) {
      const again = await this.#plan(range, options);
      return again ? { status: "changed", plan: toPlan(again.steps, only) } : { status: "not-kept" };
    }
    return {
      status: "undone",
      range: { workspace: range.workspace, epoch: history.epoch, fromSeq: done.before, toSeq: done.after },
      undone: wanted.length - done.kept.length,
      skipped: [...left].map(({ path }) => displayPath(path)),
      keptFolders: done.kept.map(displayPath),
    };
  }

  /** The range from a time to now; null if the history does not reach back that far. */
  async since(workspace: string, atMs: number, options: WorkspaceOptions): Promise<ChangeRange | null> {
    const { epoch, seq } = await this.mark(workspace, options);
    const history = await this.#history(workspace, options);
    const fromSeq = history.seqAt(atMs);
    return fromSeq === null ? null : { workspace, epoch, fromSeq, toSeq: seq };
  }

  async prune(
    workspace: string,
    limits: { beforeMs: number; maxBytes: number },
    options: WorkspaceOptions,
  ): Promise<void> {
    await (await this.#history(workspace, options)).prune(limits);
  }

  async status(workspace: string, options: WorkspaceOptions): Promise<HistoryStatus> {
    const history = await this.#history(workspace, options);
    await history.settled();
    return {
      entries: history.entryCount,
      snapshots: history.snapshots.length,
      oldestMs: history.snapshots[0]?.atMs ?? null,
      bytes: history.sizeBytes(),
      isWatching: history.isWatching,
    };
  }

  async close(workspace: string): Promise<void> {
    const open = this.#open.get(workspace);
    this.#open.delete(workspace);
    const history = await open?.history.catch(() => null); // it failed to open
    await history?.settled().catch(() => {}); // a history that failed is closed as it is
    history?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((workspace) => this.close(workspace)));
  }

  async #history(workspace: string, options: WorkspaceOptions): Promise<History> {
    const key = JSON.stringify(options);
    const known = this.#open.get(workspace);
    if (known?.key === key) return known.history;
    const large = this.#tooLarge.get(workspace);
    if (large?.key === key && performance.now() - large.atMs < RETRY_LARGE_MS) throw large.error;
    if (known) await this.close(workspace);
    const opened = this.#open.get(workspace);
    if (opened) return opened.history;
    const history = History.open({ ...options, workspace });
    this.#open.set(workspace, { key, history });
    history.catch((error: unknown) => {
      this.#open.delete(workspace); // the next call tries again
      this.#noteIfTooLarge(workspace, key, error);
    });
    return history;
  }

  /** A history that failed is closed, and the next call opens it again. */
  async #orClose<Value>(workspace: string, done: Promise<Value>): Promise<Value> {
    try {
      return await done;
    } catch (error) {
      const key = this.#open.get(workspace)?.key;
      if (key !== undefined) this.#noteIfTooLarge(workspace, key, error);
      await this.close(workspace);
      throw error;
    }
  }

  #noteIfTooLarge(workspace: string, key: string, error: unknown): void {
    if (error instanceof TooLargeError) this.#tooLarge.set(workspace, { key, error, atMs: performance.now() });
  }

  async #changes(
    range: ChangeRange,
    options: WorkspaceOptions,
  ): Promise<{ history: History; changes: Change[] } | null> {
    const history = await this.#history(range.workspace, options);
    if (history.epoch !== range.epoch) return null;
    const changes = await history.changesBetween(range.fromSeq, range.toSeq);
    return changes && { history, changes };
  }

  async #plan(range: ChangeRange, options: WorkspaceOptions): Promise<{ history: History; steps: UndoStep[] } | null> {
    const found = await this.#changes(range, options);
    return found && { history: found.history, steps: await found.history.planUndo(found.changes) };
  }
}

/** The fingerprint covers the whole plan, even if only a part of it is requested. */
function toPlan(steps: readonly UndoStep[], only: readonly string[] | null): UndoPlan {
  const wanted = only && new Set(only);
  const hash = createHash("sha256");
  for (const { path, action, now, target } of steps) {
    hash.update(JSON.stringify([path, action, identityOf(now), identityOf(target)]));
  }
  return {
    steps: steps
      .filter(({ path }) => wanted === null || wanted.has(path))
      .map(({ path, action, now, target, reason }) => ({
        id: path,
        path: displayPath(path),
        action,
        effect: target === null ? "remove" : now === null ? "create" : "change",
        reason,
      })),
    fingerprint: hash.digest("hex"),
  };
}

function identityOf(entry: UndoStep["now"]): unknown {
  return entry && [entry.type, entry.mode, "id" in entry ? entry.id : null];
}
