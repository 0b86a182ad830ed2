import { writeFileSync } from "node:fs";

/** Of 1,000. What a terminal starts inherits it. */
const TERMINAL_SCORE = "500";

/**
 * When memory runs out, the kernel ends what uses most of it; this moves a program before the gateway and the host, which
 * keep everybody else's terminals and the record.
 */
export function endFirstWhenOutOfMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, TERMINAL_SCORE);
  } catch {
    // It ended meanwhile, or the system knows no such thing.
  }
}
