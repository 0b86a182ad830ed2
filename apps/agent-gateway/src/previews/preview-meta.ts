import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KeptPreview, type Moment } from "@belay/core";

/** Stored beside a kept preview: its name, and the moment of the workspace that it began at. */
interface PreviewMeta {
  id: string;
  at: number;
  moment: Moment | null;
}

const META_FILE = "meta.json";

export function writeMeta(dir: string, meta: PreviewMeta): void {
  writeFileSync(join(dir, META_FILE), JSON.stringify(meta), { mode: 0o600 });
}

/** A finished preview, and what was stored beside it. */
export interface Kept {
  dir: string;
  meta: PreviewMeta;
  remove: () => void;
}

/** Null if it is not done, or gone. */
export function openKept(dir: string): Kept | null {
  const kept = KeptPreview.open(dir);
  const meta = kept && readMeta(dir);
  return meta && { dir, meta, remove: () => kept.remove() };
}

function readMeta(dir: string): PreviewMeta | null {
  try {
    return JSON.parse(readFileSync(join(dir, META_FILE), "utf8")) as PreviewMeta;
  } catch {
    return null;
  }
}

/** Where a workspace has no history, the files themselves have to tell. */
export function isSameMoment(one: Moment | null, other: Moment | null): boolean {
  return one === null || other === null || (one.epoch === other.epoch && one.seq === other.seq);
}
