import type { LaunchLimits } from "../limits/launch-limits.ts";
import type { Account } from "../walls/account.ts";
import type { Wall } from "../walls/wall.ts";

/**
 * A program behind a pseudo terminal, in a few verbs.
 *
 * Two promises that every implementation keeps: `onExit` comes after the last
 * byte the program printed, and `write` never spins on a program that does not
 * read.
 */
export interface Pty {
  /** The program that runs in it. */
  readonly pid: number;
  /** The process that leads the terminal's session: the program itself, or what keeps it behind a wall. */
  readonly leaderPid: number;
  /** The terminal's device (`/dev/pts/4`), by which the kernel can be asked about it; null where there is none. */
  readonly device: string | null;
  /** Whether something that was written is still to reach the terminal. */
  readonly hasPendingInput: boolean;

  /** Queues bytes for the program. Throws `input-full` rather than hold more than its cap. */
  write(bytes: Uint8Array): void;
  /** Takes back what was written and no program has read yet, as far as the system lets it. */
  discardInput(): void;
  resize(size: { cols: number; rows: number }): void;
  pause(): void;
  resume(): void;
  /** Settles once everything that was printed before the call has reached `onOutput`. */
  drain(): Promise<void>;
  /** Lets go of the terminal. Ends no process by itself; nothing is reported after it. */
  close(): void;
}

export interface PtyOptions {
  /** The program as an absolute path, and its arguments. */
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  /** The program is a shell that takes the keyboard for itself. */
  isShell?: boolean;
  /** The user whose rights it gets; unset: Belay's own. */
  account?: Account | undefined;
  /** What it may use of this machine; unset: whatever there is. */
  limits?: LaunchLimits | undefined;
  /** What it has of this machine, for a provider that keeps it from the rest. */
  wall?: {
    spec: Wall;
    own: { readable: readonly string[]; writable: readonly string[] };
    /** The process whose network it joins. */
    roomPid?: number | undefined;
  };
}

export interface PtyEvents {
  /** The bytes are the receiver's to keep. */
  onOutput(bytes: Buffer): void;
  /** Once. 128 + signal where a signal ended it; null where the system does not tell. */
  onExit(exitCode: number | null): void;
}

export type OpenPty = (options: PtyOptions, events: PtyEvents) => Pty;
