import type { CommandId, CommandReport, CommandState, Evidence, TerminalId } from "@belay/protocol";

export interface CommandOptions {
  id: CommandId;
  terminalId: TerminalId;
  line: string;
  cwd: string;
  position: number;
  now: () => number;
}

/** What a running command wants, and how we know. */
export interface Want {
  kind: "nothing" | "input" | "secret" | "fullscreen";
  evidence: Evidence;
}

const NOTHING: Want = { kind: "nothing", evidence: "silence" };

/** One command from the moment it is typed until it is known how it ended. */
export class Command {
  readonly id: CommandId;
  readonly line: string;
  readonly startedAt: number;
  readonly #terminalId: TerminalId;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #cwd: string;
  #startPosition: number;
  #endPosition: number;
  #isTyped = false;
  #hasStarted = false;
  #exitCode: number | null = null;
  #hasEnded = false;
  #want = NOTHING;
  #lastActivityAt: number;
  #finished: CommandReport | null = null;
  #failure: Error | null = null;

  constructor({ id, terminalId, line, cwd, position, now }: CommandOptions) {
    this.id = id;
    this.line = line;
    this.#terminalId = terminalId;
    this.#now = now;
    this.#cwd = cwd;
    this.startedAt = now();
    this.#lastActivityAt = this.startedAt;
    this.#startPosition = position;
    this.#endPosition = position;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Whether the shell said that something of it ended; more may follow until the prompt. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get want(): Want {
    return this.#want;
  }

  /** When it last printed or was given something. A shell that is still on its way up is not a silent command. */
  get lastActivityAt(): number {
    return this.#isTyped ? this.#lastActivityAt : this.#now();
  }

  get finished(): CommandReport | null {
    return this.#finished;
  }

  /** Why it could not be run at all. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** It was typed: nothing before this is its output. */
  typed(position: number): void {
    this.#isTyped = true;
    this.#lastActivityAt = this.#now();
    this.#startPosition = position;
    this.#endPosition = position;
  }

  /** One of its lines runs. With the first one its output begins, behind the echo of what was typed. */
  started(position: number): void {
    this.#hasEnded = false;
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#startPosition = position;
    this.#endPosition = position;
  }

  ended({ position, exitCode, cwd }: { position: number; exitCode: number | null; cwd: string | null }): void {
    this.#hasEnded = true;
    this.#exitCode = exitCode;
    this.#endPosition = position;
    if (!this.#hasStarted) this.#startPosition = Math.min(this.#startPosition, position);
    if (cwd !== null) this.#cwd = cwd;
  }

  /** It printed something. A full-screen program does so all the time. */
  touch(position: number): void {
    this.#lastActivityAt = this.#now();
    if (!this.#hasEnded) this.#endPosition = position;
    if (this.#want.kind !== "fullscreen") this.setWant(NOTHING);
  }

  /** It was given something to read: what it wants is open again. */
  answered(): void {
    this.#lastActivityAt = this.#now();
    this.setWant(NOTHING);
  }

  setWant(want: Want): void {
    if (this.#want.kind === want.kind && this.#want.evidence === want.evidence) return;
    this.#want = want;
    this.#changed();
  }

  finish(state: "completed" | "exited", evidence: Evidence, exitCode = this.#exitCode): CommandReport {
    this.#finished ??= { ...this.report(state, evidence), exitCode };
    this.#changed();
    return this.#finished;
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#changed();
  }

  /** How it stands now, in the words of the caller. */
  report(state: CommandState, evidence: Evidence): CommandReport {
    return {
      commandId: this.id,
      terminalId: this.#terminalId,
      state,
      evidence,
      exitCode: null,
      startPosition: this.#startPosition,
      endPosition: this.#endPosition,
      cwd: this.#cwd,
      durationMs: this.#now() - this.startedAt,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
