import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import type { Change, Entry } from "../entry.ts";
import { TreeState } from "../scan/tree-state.ts";

/** One snapshot of the history. */
export interface Snapshot {
  seq: number;
  atMs: number;
  /** The state before it is unknown, so its files do not count as changes. */
  isBase: boolean;
}

export interface KnownState {
  /** Identifies this history. A restarted history gets a new id, which makes old snapshot numbers invalid. */
  epoch: string;
  tree: string | null;
  /** Identifies the patterns used in the last scan. */
  include: string;
  snapshots: Snapshot[];
  state: TreeState;
}

type Line =
  | {
      type: "state";
      epoch: string;
      tree: string | null;
      include: string;
      snapshots: Snapshot[];
      entries: [string, Entry][];
    }
  | { type: "delta"; tree: string | null; snapshot: Snapshot; changes: Change[] };

const MAX_DELTAS = 500;

/**
 * The last known state of the workspace, in a file: the whole state once, then a line for each snapshot.
 *
 * It only avoids reading every file again at the next start: an entry is used only while its file has the stored
 * times. A last line that a crash truncated is dropped.
 */
export class StateFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  load(): KnownState {
    const known = newState();
    if (!existsSync(this.#path)) {
      this.rewrite(known);
      return known;
    }
    const lines = readFileSync(this.#path, "utf8").split("\n");
    for (const text of lines) {
      const line = parse(text);
      if (line === null) break;
      known.tree = line.tree;
      if (line.type === "state") {
        known.epoch = line.epoch;
        known.include = line.include;
        known.snapshots = line.snapshots;
        known.state = new TreeState();
        for (const [path, entry] of line.entries) known.state.set(path, entry);
      } else {
        known.snapshots.push(line.snapshot);
        if (line.snapshot.isBase) known.state = new TreeState();
        known.state.apply(line.changes);
      }
    }
    // Also rewritten after a truncated line, or the next one would be joined to it.
    if (lines.length > MAX_DELTAS || (lines.at(-1) ?? "") !== "") this.rewrite(known);
    return known;
  }

  append(tree: string | null, snapshot: Snapshot, changes: Change[]): void {
    const line: Line = { type: "delta", tree, snapshot, changes };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  rewrite({ epoch, tree, include, snapshots, state }: KnownState): void {
    const line: Line = { type: "state", epoch, tree, include, snapshots, entries: [...state.below("")] };
    const fresh = `${this.#path}.new`;
    writeFileSync(fresh, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    syncFile(fresh);
    renameSync(fresh, this.#path);
  }
}

export function newState(): KnownState {
  return { epoch: randomUUID(), tree: null, include: "", snapshots: [], state: new TreeState() };
}

function parse(text: string): Line | null {
  try {
    return text === "" ? null : (JSON.parse(text) as Line);
  } catch {
    return null; // truncated
  }
}

export function syncFile(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
