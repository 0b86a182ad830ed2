import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** A niceness that leaves it about a third of the usual share of a busy CPU. */
const BACKGROUND_NICENESS = 5;

/** Lowers the priority of the calling thread: its work is not urgent, that of other threads is. */
export function runInBackground(): void {
  try {
    // On Linux each thread has its own priority, set by its thread id.
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), BACKGROUND_NICENESS);
  } catch {
    // No /proc: then it competes like any other thread.
  }
}
