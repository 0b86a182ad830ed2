import type { HOST_CALLS, Methods } from "../pool/calls.ts";
import type { TerminalPool } from "../pool/terminal-pool.ts";

/**
 * Terminals together with their screens, recordings and unfetched results.
 * It lives in this process, or in a separate one that outlives
 * this one; callers cannot tell which.
 */
export interface TerminalHost extends Methods<typeof HOST_CALLS> {
  readonly terminals: TerminalPool;
  /** The process that holds the terminals, if it is a separate one. Programs in a terminal must not reach it. */
  processIds(): number[];
  /** Disconnects from the host. Terminals in a separate process keep running; those in this process end. */
  leave(): Promise<void>;
}
