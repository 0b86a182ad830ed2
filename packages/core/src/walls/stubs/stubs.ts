import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { readStat } from "../../processes/proc.ts";
import { closeFolders, type HeldFolders, openFolders } from "./held-folders.ts";

/**
 * Placeholders: empty files and folders that reserve names in a workspace while terminals are behind a wall.
 *
 * The kernel can only protect a name that exists. So a protected name that does not exist yet
 * gets an empty file for as long as a terminal needs it. Its users are recorded in a folder of
 * Belay's, because the host and the gateway both start programs, and either may be killed: the next one
 * removes placeholders that are no longer needed. One that a person has filled stays.
 */
export class Stubs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates missing names and keeps them until the returned function is called. */
  hold(paths: readonly string[]): () => void {
    if (paths.length === 0) return () => {};
    // Terminals and single commands may run in one process, each with its own list.
    const file = join(this.#folder, `${process.pid}-${randomUUID()}.json`);
    // Held open: they may be moved before the placeholders in them are removed.
    const folders = openFolders(paths.map(dirname));
    let made: string[] = [];
    const drop = () => {
      rmSync(file, { force: true });
      this.#remove(made, folders);
    };
    try {
      this.#locked(() => {
        this.#sweep();
        const known = new Set(this.#holders().flatMap((holder) => holder.made));
        made = paths.filter((path) => known.has(path) || !isThere(folders, path));
        // Before they are created: if this process is killed meanwhile, the next one removes them.
        writeFileSync(file, JSON.stringify({ pid: process.pid, made }));
        try {
          made = made.filter((path) => make(folders, path) || known.has(path));
        } catch (error) {
          drop();
          throw error;
        }
        writeFileSync(file, JSON.stringify({ pid: process.pid, made }));
      });
    } catch (error) {
      closeFolders(folders);
      throw error;
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      try {
        this.#locked(() => {
          drop();
          // A process that was just killed may have counted as alive until now.
          this.#sweep();
        });
      } finally {
        closeFolders(folders);
      }
    };
  }

  /** Removes what killed processes left, without waiting for the next terminal. */
  removeLeft(): void {
    if (existsSync(this.#folder)) this.#locked(() => this.#sweep());
  }

  /** Removes the placeholders of dead processes. */
  #sweep(): void {
    for (const { file, pid, made } of this.#holders()) {
      if (isAlive(pid)) continue;
      rmSync(file, { force: true });
      this.#remove(made);
    }
  }

  #remove(made: readonly string[], folders?: HeldFolders): void {
    const needed = new Set(this.#holders().flatMap((holder) => holder.made));
    for (const path of made) if (!needed.has(path)) removeEmpty(path, folders);
  }

  #holders(): (Holder & { file: string })[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => {
        const file = join(this.#folder, name);
        const holder = Holder.safeParse(readJson(file));
        return holder.success ? [{ ...holder.data, file }] : [];
      });
  }

  /** One process at a time. An old lock is from a killed process: all of this takes a millisecond. */
  #locked(act: () => void): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const lock = join(this.#folder, "lock");
    for (let tries = 0; !takeLock(lock); tries++) {
      if (tries > LOCK_TRIES) rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(PAUSE, 0, 0, 1);
    }
    try {
      act();
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

const Holder = z.object({ pid: z.int(), made: z.array(z.string()) });
type Holder = z.infer<typeof Holder>;

/** One millisecond each: two seconds in total. */
const LOCK_TRIES = 2000;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // Partially written by a killed process, which had created nothing yet.
  }
}

/** The name in the open folder, wherever that is now. */
function placeIn(folders: HeldFolders, path: string): string {
  return join(`/proc/self/fd/${folders.get(dirname(path))}`, basename(path));
}

function isThere(folders: HeldFolders, path: string): boolean {
  return lstatSync(placeIn(folders, path), { throwIfNoEntry: false }) !== undefined;
}

/** Whether it was created just now. */
function make(folders: HeldFolders, path: string): boolean {
  const place = placeIn(folders, path);
  try {
    if (path.endsWith("/")) mkdirSync(place);
    else closeSync(openSync(place, "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Without folders that are held open, those that are in their place now. */
function removeEmpty(path: string, held?: HeldFolders): void {
  let opened: HeldFolders | null = null;
  try {
    opened = held ? null : openFolders([dirname(path)]);
    const place = placeIn(held ?? (opened as HeldFolders), path);
    if (path.endsWith("/")) rmdirSync(place);
    else if (lstatSync(place).isFile() && lstatSync(place).size === 0) rmSync(place);
  } catch {
    // Already gone, or not empty: a person put something there.
  } finally {
    if (opened) closeFolders(opened);
  }
}

/** A killed process that its parent has not reaped yet counts as dead. */
function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== null && !/[ZX]/.test(stat.state);
}
