import type { ResourceLimits } from "@belay/protocol";
import type { LaunchLimits } from "../limits/launch-limits.ts";
import type { Account } from "../walls/account.ts";
import type { Wall } from "../walls/wall.ts";

/**
 * A program behind a pseudo terminal.
 *
 * Every implementation guarantees: `onExit` comes after the last
 * byte that the program printed, and `write` never busy-waits for a program that does not
 * read.
 */
export interface Pty {
  /** The program that runs in it. */
  readonly pid: number;
  /** The process that leads the terminal's session: the program itself, or the sandbox around it. */
  readonly leaderPid: number;
  /** The terminal's device (`/dev/pts/4`), to query the kernel about it; null if there is none. */
  readonly device: string | null;
  /** Output passes through another program, so what the kernel reports may be ahead of it. */
  readonly isRelayed?: true;
  /** Whether written input has not reached the terminal yet. */
  readonly hasPendingInput: boolean;

  /** Queues bytes for the program. Throws `input-full` above its limit. */
  write(bytes: Uint8Array): void;
  /** Discards written input that no program has read yet, as far as the system allows. */
  discardInput(): void;
  resize(size: { cols: number; rows: number }): void;
  pause(): void;
  resume(): void;
  /** Resolves once all earlier output has reached `onOutput`. */
  drain(): Promise<void>;
  /** Closes the terminal. Ends no process by itself; nothing is reported afterwards. */
  close(): void;
}

export interface PtyOptions {
  /** The program as an absolute path, and its arguments. */
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  /** Whether the program is a shell that takes the foreground itself. */
  isShell?: boolean;
  /** A name for it that is unique on this machine. */
  name?: string;
  /** What it may use, for a provider that enforces limits itself. */
  resources?: ResourceLimits | undefined;
  /** The user whose rights it gets; unset: Belay's own. */
  account?: Account | undefined;
  /** Its resource limits; unset: none. */
  limits?: LaunchLimits | undefined;
  /** Which parts of this machine it sees, for a provider that isolates it. */
  wall?: {
    spec: Wall;
    own: { readable: readonly string[]; writable: readonly string[] };
    /** The process whose network it joins. */
    networkPid?: number | undefined;
  };
}

export interface PtyEvents {
  /** The bytes are valid until it returns; a receiver that needs them longer must `keep` them. */
  onOutput(bytes: Buffer): void;
  /** Called once. 128 + signal if a signal ended it; null if the system does not say. */
  onExit(exitCode: number | null): void;
}

export type OpenPty = (options: PtyOptions, events: PtyEvents) => Pty;
