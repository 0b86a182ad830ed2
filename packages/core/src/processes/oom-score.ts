import { writeFileSync } from "node:fs";

/** Out of 1,000. Inherited by everything that a terminal starts. */
const TERMINAL_SCORE = "500";

/**
 * When memory runs out, the kernel kills the largest process. This makes it choose a program before the gateway and the
 * host, which hold all other terminals and the recordings.
 */
export function endFirstWhenOutOfMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, TERMINAL_SCORE);
  } catch {
    // It has ended, or the system does not support it.
  }
}
