import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { CoreError } from "../errors.ts";
import { readStat } from "../processes/proc.ts";

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
    const name = `${process.pid}-${randomUUID()}.json`;
    this.#locked(() => {
      this.#sweep();
      const known = new Set(this.#holders().flatMap(({ made }) => made));
      const made = paths.filter((path) => known.has(path) || make(path));
      writeFileSync(join(this.#folder, name), JSON.stringify({ pid: process.pid, made }));
    });
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#locked(() => {
        const file = join(this.#folder, name);
        const { made } = Holder.parse(JSON.parse(readFileSync(file, "utf8")));
        rmSync(file, { force: true });
        this.#remove(made);
        // A process that was just killed may have counted as alive until now.
        this.#sweep();
      });
    };
  }

  /** Removes the placeholders of dead processes. */
  #sweep(): void {
    for (const { file, pid, made } of this.#holders()) {
      if (isAlive(pid)) continue;
      rmSync(file, { force: true });
      this.#remove(made);
    }
  }

  #remove(made: readonly string[]): void {
    const needed = new Set(this.#holders().flatMap((holder) => holder.made));
    for (const path of made) if (!needed.has(path)) removeEmpty(path);
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

/** Whether it was created just now. */
function make(path: string): boolean {
  try {
    return inFolderOf(path, (place) => {
      if (path.endsWith("/")) mkdirSync(place);
      else closeSync(openSync(place, "wx"));
      return true;
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeEmpty(path: string): void {
  try {
    inFolderOf(path, (place) => {
      if (path.endsWith("/")) rmdirSync(place);
      else if (lstatSync(place).isFile() && lstatSync(place).size === 0) rmSync(place);
    });
  } catch {
    // Already gone, or not empty: a person put something there.
  }
}

/**
 * Works on a name in a folder that is held open meanwhile: the agent may replace the folder with a link at any moment,
 * and Belay has more rights than the agent.
 */
function inFolderOf<T>(path: string, act: (place: string) => T): T {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const whole = path.replace(/\/$/, "");
  const descriptor = openSync(dirname(whole), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const folder = `/proc/self/fd/${descriptor}`;
    if (readlinkSync(folder) !== dirname(whole)) {
      throw new CoreError("spawn-failed", `"${dirname(whole)}" is behind a link. Nothing was started.`);
    }
    return act(join(folder, basename(whole)));
  } finally {
    closeSync(descriptor);
  }
}

/** A killed process that its parent has not reaped yet counts as dead. */
function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== null && !/[ZX]/.test(stat.state);
}
