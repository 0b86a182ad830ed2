import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * The text of a file that is made once and then kept.
 *
 * It comes to its name only when all of it is on disk, and the name is on disk when this
 * returns: after a power cut there is the whole file or none, never an empty one.
 */
export function readOrCreate(file: string, make: () => string, mode = 0o600): string {
  if (!existsSync(file)) create(file, make(), mode);
  return readFileSync(file, "utf8");
}

function create(file: string, text: string, mode: number): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.new-${process.pid}`;
  try {
    writeSynced(draft, text, mode);
    linkSync(draft, file);
  } catch (error) {
    // Another process was faster, and its file counts.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
}

/** Replaces a file: after a power cut there is the old text or the new one, each of them whole. */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const draft = `${file}.new-${process.pid}`;
  writeSynced(draft, text, mode);
  renameSync(draft, file);
  syncFolder(dirname(file));
}

function writeSynced(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, "w", mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
