import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ChangeCounts,
  type ChangedPath,
  countChanges,
  describeChange,
  diffChange,
  type Hunk,
} from "../changes/line-diff.ts";
import type { PreviewResult } from "./preview.ts";

const RESULT_FILE = "preview.json";
const LIST_FILE = "list.json";
const MAX_LISTED = 500;
/** Beyond this many files, lines are not counted. */
const MAX_COUNTED = 2_000;

/** A changed path, with the id that its diff is requested by. */
export type PreviewedChange = ChangedPath & { id: string };

export interface PreviewedChanges {
  counts: ChangeCounts;
  paths: PreviewedChange[];
  /** How many changes are not listed. */
  unlisted: number;
}

/** What a preview found, on disk: what would change, and the contents before and after. */
export class KeptPreview {
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  static create(dir: string): KeptPreview {
    mkdirSync(join(dir, "blobs"), { recursive: true, mode: 0o700 });
    return new KeptPreview(dir);
  }

  /** Null if it does not exist or is incomplete. */
  static open(dir: string): KeptPreview | null {
    return existsSync(join(dir, RESULT_FILE)) ? new KeptPreview(dir) : null;
  }

  keep(id: string, bytes: Uint8Array): void {
    const path = join(this.dir, "blobs", id);
    if (!existsSync(path)) writeFileSync(path, bytes, { mode: 0o600 });
  }

  /** Written last: a preview without this file is incomplete. */
  write(result: PreviewResult): void {
    const path = join(this.dir, RESULT_FILE);
    writeFileSync(`${path}.new`, JSON.stringify(result), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  read(): PreviewResult {
    return JSON.parse(readFileSync(join(this.dir, RESULT_FILE), "utf8")) as PreviewResult;
  }

  readBlob(id: string): Promise<Buffer | null> {
    return readFile(join(this.dir, "blobs", id)).catch(() => null); // it was too large to keep
  }

  /** What would change, for people. Paths in the first folder are relative; paths in others include their folder. */
  async list(): Promise<PreviewedChanges> {
    const known = join(this.dir, LIST_FILE);
    if (existsSync(known)) return JSON.parse(readFileSync(known, "utf8")) as PreviewedChanges;
    const all: PreviewedChange[] = [];
    const { roots } = this.read();
    for (const [at, { root, changes, isOwn }] of roots.entries()) {
      if (isOwn) continue;
      for (const change of changes) {
        const described = await describeChange(change, async (id) =>
          all.length < MAX_COUNTED ? this.readBlob(id) : null,
        );
        const path = at === 0 ? described.path : join(root, described.path);
        all.push({ ...described, path, id: `${at}:${change.path}` });
      }
    }
    const paths = all.slice(0, MAX_LISTED);
    const list = { counts: countChanges(all), paths, unlisted: all.length - paths.length };
    writeFileSync(known, JSON.stringify(list), { mode: 0o600 });
    return list;
  }

  /** The changed lines of one file; null if there is no text to compare. */
  async diff(id: string): Promise<Hunk[] | null> {
    const [, at = "", path = ""] = /^(\d+):(.*)$/s.exec(id) ?? [];
    const change = this.read().roots[Number(at)]?.changes.find((one) => one.path === path);
    return change ? diffChange(change, (blob) => this.readBlob(blob)) : null;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
