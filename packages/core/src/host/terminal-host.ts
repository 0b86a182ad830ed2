import type { HOST_CALLS, Methods } from "../pool/calls.ts";
import type { TerminalPool } from "../pool/terminal-pool.ts";

/**
 * Terminals together with what is kept of them: screens, recordings, results that
 * were not fetched yet. It lives in this process, or in one of its own that goes on
 * when this one ends; callers cannot tell which.
 */
export interface TerminalHost extends Methods<typeof HOST_CALLS> {
  readonly terminals: TerminalPool;
  /** The process that holds the terminals, where it is another one. Programs in a terminal must not reach it. */
  processIds(): number[];
  /** Lets go of the host. Terminals in a process of their own go on; those in this process end. */
  leave(): Promise<void>;
}
