import type { CommandId, CommandReport, TerminalActivity, TerminalId } from "@belay/protocol";
import { Command, type Want } from "./command.ts";
import { CoreError } from "./errors.ts";
import { checkCanBeTyped } from "./shell/completeness.ts";
import type { Marker } from "./shell/markers.ts";
import type { ShellKind } from "./shell/shells.ts";
import { CLEAR_LINE, INTERRUPT, normaliseLineEnds, typingOf } from "./shell/typing.ts";
import type { RunRequest } from "./terminal-pool.ts";
import { waitForCommand } from "./wait.ts";

/** How many finished commands a terminal remembers. */
const MAX_KEPT_REPORTS = 200;

export interface ShellSessionOptions {
  terminalId: TerminalId;
  kind: ShellKind;
  cwd: string;
  now: () => number;
  /** Position after the last byte of output. */
  position: () => number;
  write: (bytes: Uint8Array) => void;
  /** Puts a text where the shell can read it, and gives the line that makes it do so. */
  writeScript: (text: string) => Promise<string>;
  onChanged: () => void;
  onFinished: (report: CommandReport) => void;
}

type Stage =
  | { at: "start" }
  | { at: "prompt" }
  /** A command that a person typed, or one that we did: then `#command` is set. */
  | { at: "command"; since: number };

/** A shell at work: which command runs in it, and what its markers say about that. */
export class ShellSession {
  readonly #options: ShellSessionOptions;
  readonly #finished = new Map<CommandId, CommandReport>();
  readonly #onPrompt = new Set<() => void>();
  #stage: Stage = { at: "start" };
  #command: Command | null = null;
  #cwd: string;
  #hasHalfALine = false;

  constructor(options: ShellSessionOptions) {
    this.#options = options;
    this.#cwd = options.cwd;
  }

  get cwd(): string {
    return this.#cwd;
  }

  get command(): Command | null {
    return this.#command;
  }

  get activity(): TerminalActivity {
    if (this.#command) {
      const { id, line, startedAt, want } = this.#command;
      return { kind: "busy", commandId: id, line, since: startedAt, wants: want.kind };
    }
    if (this.#stage.at !== "command") return { kind: "idle" };
    return { kind: "busy", commandId: null, line: "", since: this.#stage.since, wants: "nothing" };
  }

  async run(request: RunRequest, signal?: AbortSignal): Promise<CommandReport> {
    const line = normaliseLineEnds(request.line);
    checkCanBeTyped(line);
    if (this.#command || this.#stage.at === "command") {
      throw new CoreError(
        "terminal-busy",
        `Terminal "${this.#options.terminalId}" is busy${this.#command ? ` with ${this.#command.line.slice(0, 80)}` : ""}. Wait for it, answer it or interrupt it.`,
      );
    }
    const command = this.#begin(request.commandId, line);
    void this.#type(command).catch((error: unknown) => {
      this.#command = null;
      command.fail(error instanceof Error ? error : new Error(String(error)));
    });
    return waitForCommand(command, request.wait, { now: this.#options.now, ...(signal && { signal }) });
  }

  async waitFor(commandId: CommandId, wait: RunRequest["wait"], signal?: AbortSignal): Promise<CommandReport> {
    const finished = this.#finished.get(commandId);
    if (finished) return finished;
    if (this.#command?.id !== commandId) {
      throw new CoreError(
        "command-not-found",
        `No command "${commandId}" in terminal "${this.#options.terminalId}". It may be too long ago.`,
      );
    }
    return waitForCommand(this.#command, wait, { now: this.#options.now, ...(signal && { signal }) });
  }

  /** Somebody typed. */
  typed(): void {
    this.#hasHalfALine = this.#stage.at === "prompt";
    this.#command?.touch(this.#options.position());
  }

  /** The terminal printed. */
  printed(): void {
    this.#command?.touch(this.#options.position());
  }

  /** The kernel told what the running command wants. */
  wants(want: Want): void {
    if (!this.#command || this.#command.want.kind === want.kind) return;
    this.#command.setWant(want);
    this.#options.onChanged();
  }

  marker(marker: Marker): void {
    switch (marker.kind) {
      case "started":
        this.#stage = { at: "command", since: this.#options.now() };
        this.#command?.started(this.#options.position());
        this.#options.onChanged();
        return;
      case "ended":
        this.#cwd = marker.cwd ?? this.#cwd;
        if (this.#isTyped) this.#command?.ended({ ...marker, position: this.#options.position() });
        return;
      case "prompt":
        this.#prompted(marker);
        return;
      case "continuation":
        this.#refuseUnfinished();
        return;
      case "applied":
        return;
    }
  }

  /** The shell is gone, and with it whatever ran in it. */
  exited(exitCode: number | null): void {
    if (!this.#command) return;
    this.#close(this.#command.finish("exited", "exit", exitCode));
  }

  #isTyped = false;

  #begin(id: CommandId, line: string): Command {
    const { terminalId, now, position } = this.#options;
    this.#command = new Command({ id, terminalId, line, cwd: this.#cwd, position: position(), now });
    this.#isTyped = false;
    return this.#command;
  }

  async #type(command: Command): Promise<void> {
    await this.#untilPrompt();
    const typing = typingOf(this.#options.kind, command.line);
    const keys =
      typing.type === "keys" ? typing.bytes : Buffer.from(`${await this.#options.writeScript(command.line)}\r`);
    if (this.#command !== command) return;
    if (this.#hasHalfALine) this.#options.write(Buffer.from(CLEAR_LINE));
    this.#hasHalfALine = false;
    this.#isTyped = true;
    this.#stage = { at: "command", since: this.#options.now() };
    this.#options.write(keys);
    this.#options.onChanged();
  }

  #untilPrompt(): Promise<void> {
    if (this.#stage.at === "prompt") return Promise.resolve();
    return new Promise((resolve) => {
      const listener = () => {
        this.#onPrompt.delete(listener);
        resolve();
      };
      this.#onPrompt.add(listener);
    });
  }

  #prompted({ exitCode, cwd }: { exitCode: number | null; cwd: string | null }): void {
    this.#cwd = cwd ?? this.#cwd;
    const command = this.#isTyped ? this.#command : null;
    // A line editor repaints its prompt when it likes; only after a start or an end does it mean something.
    if (command && !command.hasStarted && !command.hasEnded) return;

    this.#stage = { at: "prompt" };
    if (command) {
      if (!command.hasEnded) command.ended({ exitCode, cwd, position: this.#options.position() });
      this.#close(command.finish("completed", "marker"));
    } else {
      this.#options.onChanged();
    }
    for (const listener of [...this.#onPrompt]) listener();
  }

  /** The shell wants more of a text that was to be whole: nothing of it may stay on its line. */
  #refuseUnfinished(): void {
    const command = this.#isTyped ? this.#command : null;
    if (!command) return;
    this.#command = null;
    this.#isTyped = false;
    this.#stage = { at: "start" };
    this.#options.write(Buffer.from(INTERRUPT));
    command.fail(new CoreError("incomplete-command", "The shell wants more: a quote, a bracket or a block is open."));
    this.#options.onChanged();
  }

  #close(report: CommandReport): void {
    this.#command = null;
    this.#isTyped = false;
    this.#finished.set(report.commandId, report);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > MAX_KEPT_REPORTS && oldest) this.#finished.delete(oldest);
    this.#options.onFinished(report);
    this.#options.onChanged();
  }
}
