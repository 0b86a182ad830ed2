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
 * The text of a file that is created once and then kept.
 *
 * It is renamed into place only when all of it is on disk, and the rename is on disk when this
 * returns: after a power failure the file is complete or missing, never empty.
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

/** Writes a file that may not exist yet, nor its folder. */
export function createOrReplaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, text);
}

/** Replaces a file: after a power failure it has the old text or the new one, completely. */
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
