import type { CommandId, CommandReport, CommandState, Evidence, ReachedLimit, TerminalId } from "@belay/protocol";

export interface CommandOptions {
  id: CommandId;
  terminalId: TerminalId;
  line: string;
  cwd: string;
  position: number;
  /** Wall time, for people. Durations are measured on the monotonic clock. */
  now: () => number;
}

/** What a running command waits for, and how we know. */
export interface Want {
  kind: "nothing" | "input" | "secret" | "fullscreen";
  evidence: Evidence;
  /** It may continue by itself in a moment: enough for a waiting agent, too early to notify a person. */
  isBrief?: true;
}

/** The life of a command. It only moves forward, but between two lines of a text it has `ended` for a moment. */
type Stage =
  /** It has its shell, but is not typed yet. */
  | { at: "queued" }
  /** It is on the shell's line. */
  | { at: "typed"; want: Want }
  | { at: "running"; want: Want }
  /** The shell reported the end of a part of it; more may follow until the prompt. */
  | { at: "ended"; want: Want; exitCode: number | null }
  | { at: "finished"; report: CommandReport }
  /** It could not be run at all. */
  | { at: "failed"; error: Error };

const NOTHING: Want = { kind: "nothing", evidence: "silence" };

/** One command, from when it is typed until its end is known. */
export class Command {
  readonly id: CommandId;
  readonly line: string;
  readonly startedAt: number;
  readonly #terminalId: TerminalId;
  readonly #startedAtMonotonic: number;
  readonly #listeners = new Set<() => void>();
  #stage: Stage = { at: "queued" };
  #cwd: string;
  #startPosition: number;
  #endPosition: number;
  #lastActivityAt: number;
  #limit: ReachedLimit | null = null;

  constructor({ id, terminalId, line, cwd, position, now }: CommandOptions) {
    this.id = id;
    this.line = line;
    this.#terminalId = terminalId;
    this.#cwd = cwd;
    this.startedAt = now();
    this.#startedAtMonotonic = performance.now();
    this.#lastActivityAt = this.#startedAtMonotonic;
    this.#startPosition = position;
    this.#endPosition = position;
  }

  /** Whether the shell has left the line on which it was typed. */
  get hasStarted(): boolean {
    return this.#stage.at === "running" || this.#stage.at === "ended";
  }

  get hasEnded(): boolean {
    return this.#stage.at === "ended";
  }

  /** Set once a part of it has ended; null if unknown. */
  get exitCode(): number | null {
    return this.#stage.at === "ended" ? this.#stage.exitCode : null;
  }

  /** Where its output ends, so far. */
  get endPosition(): number {
    return this.#endPosition;
  }

  get want(): Want {
    return "want" in this.#stage ? this.#stage.want : NOTHING;
  }

  /** When it last printed or got input, on the monotonic clock. Before it is typed it does not count as silent. */
  get lastActivityAt(): number {
    return this.#stage.at === "queued" ? performance.now() : this.#lastActivityAt;
  }

  get finished(): CommandReport | null {
    return this.#stage.at === "finished" ? this.#stage.report : null;
  }

  /** Why it could not be run at all. */
  get failure(): Error | null {
    return this.#stage.at === "failed" ? this.#stage.error : null;
  }

  /** It was typed: earlier output is not its own. */
  typed(position: number): void {
    this.#stage = { at: "typed", want: NOTHING };
    this.#lastActivityAt = performance.now();
    this.#startPosition = position;
    this.#endPosition = position;
  }

  /** One of its lines runs. With the first one its output begins, after the echo of what was typed. */
  started(position: number): void {
    const isFirst = this.#stage.at === "typed";
    if (!isFirst && this.#stage.at !== "ended") return;
    this.#stage = { at: "running", want: this.want };
    if (!isFirst) return;
    this.#startPosition = position;
    this.#endPosition = position;
  }

  ended({ position, exitCode }: { position: number; exitCode: number | null }): void {
    if (!this.#isInShell) return;
    this.#stage = { at: "ended", want: this.want, exitCode };
    this.#endPosition = position;
  }

  /** It printed something. A full-screen program does so all the time. */
  printed(position: number): void {
    this.#lastActivityAt = performance.now();
    if (!this.hasEnded) this.#endPosition = position;
    if (this.want.kind !== "fullscreen") this.setWant(NOTHING);
  }

  /** It got input: what it waits for is unknown again. */
  answered(): void {
    this.#lastActivityAt = performance.now();
    this.setWant(NOTHING);
  }

  setWant(want: Want): void {
    if (!("want" in this.#stage)) return;
    const before = this.#stage.want;
    if (before.kind === want.kind && before.evidence === want.evidence && before.isBrief === want.isBrief) return;
    this.#stage = { ...this.#stage, want };
    this.#changed();
  }

  /** It reached a limit of its terminal. */
  ranOutOf(limit: ReachedLimit | null): void {
    this.#limit = limit;
  }

  /** The shell is in the command's folder. */
  startIn(cwd: string): void {
    this.#cwd = cwd;
  }

  /** The shell is back at its prompt, in this folder. */
  complete({ evidence, cwd }: { evidence: Evidence; cwd: string }): CommandReport {
    const { exitCode } = this;
    this.#cwd = cwd;
    return this.#finish({ ...this.report("completed", evidence), exitCode });
  }

  /** Its shell has ended. */
  exit(exitCode: number | null): CommandReport {
    return this.#finish({ ...this.report("exited", "exit"), exitCode });
  }

  fail(error: Error): void {
    if (this.#stage.at !== "finished" && this.#stage.at !== "failed") this.#stage = { at: "failed", error };
    this.#changed();
  }

  /** Its current state, as reported to callers. */
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
      durationMs: performance.now() - this.#startedAtMonotonic,
      ...(this.#limit && { limit: this.#limit }),
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #isInShell(): boolean {
    return this.#stage.at === "typed" || this.#stage.at === "running" || this.#stage.at === "ended";
  }

  #finish(report: CommandReport): CommandReport {
    if (this.#stage.at !== "finished") this.#stage = { at: "finished", report };
    this.#changed();
    return this.#stage.report;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
