import type { CommandId, CommandReport, Evidence, TerminalActivity, TerminalId } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { judgeShell } from "../evidence/judge-shell.ts";
import type { Judgement } from "../evidence/judge-want.ts";
import { FinishedCommands } from "../host/finished-commands.ts";
import type { RunRequest } from "../pool/terminal-pool.ts";
import { checkCanBeTyped } from "../shell/completeness.ts";
import type { ShellKind } from "../shell/hooks.ts";
import type { Marker, ShellStatus } from "../shell/markers.ts";
import { changeFolderLine, prepareEnv } from "../shell/preparation.ts";
import { PromptGate } from "../shell/prompt-gate.ts";
import { shellKindOf } from "../shell/shells.ts";
import { normaliseLineEnds } from "../shell/typing.ts";
import { Typist, type TypistOptions } from "../shell/typist.ts";
import { Command, type Want } from "./command.ts";
import { TaskGuard } from "./task-guard.ts";
import { waitForCommand } from "./wait.ts";

export interface ShellSessionOptions extends TypistOptions {
  terminalId: TerminalId;
  kind: ShellKind;
  cwd: string;
  now: () => number;
  /** Position after the last byte of output. */
  position: () => number;
  /** Ends what runs, and leaves the shell. */
  endForeground: () => void;
  onTyped: (command: { commandId: CommandId; line: string }) => void;
  onChanged: () => void;
  onFinished: (report: CommandReport) => void;
}

type Stage =
  | { at: "start" }
  | { at: "prompt" }
  /** A command that a person typed, or one that we did: then `#command` is set. */
  | { at: "command"; since: number; wants: Want["kind"] };

/** An interrupt that was ignored this often will not bring the prompt back. */
const MAX_TAKE_BACKS = 5;

/**
 * A shell at work: which command runs in it, and how we know that it is done.
 *
 * 1. `run` reserves the shell, waits for its prompt, sets folder and environment
 *    where asked to, and types.
 * 2. The markers tell of start, end and the next prompt; the prompt finishes it.
 * 3. Where markers are lost, what the kernel says takes their place.
 */
export class ShellSession {
  readonly #options: ShellSessionOptions;
  readonly #finished = new FinishedCommands();
  readonly #typist: Typist;
  readonly #gate = new PromptGate();
  #kind: ShellKind;
  #stage: Stage = { at: "start" };
  #hasHooks = false;
  /** The shell's own idea of its pid, from its first marker. */
  #pid: number | null = null;
  #command: Command | null = null;
  /** The one whose text is in the shell: `#command`, or what prepares the shell for it. */
  #typed: Command | null = null;
  #cwd: string;
  #envNames: string[] = [];
  #typedAtPosition = 0;
  /** How often an unfinished text was interrupted, since the last prompt. */
  #takeBacks = 0;

  constructor(options: ShellSessionOptions) {
    this.#options = options;
    this.#typist = new Typist(options);
    this.#kind = options.kind;
    this.#cwd = options.cwd;
  }

  get cwd(): string {
    return this.#cwd;
  }

  get isBusy(): boolean {
    return this.#command !== null || this.#stage.at === "command";
  }

  /** Whether there is anything to find out about it. */
  get isUncertain(): boolean {
    return this.isBusy || this.#takeBacks > 0;
  }

  /** What the markers tell of who reads. */
  get keyboard(): { isAtPrompt: boolean; promptIsEdited: boolean } {
    return { isAtPrompt: !this.isBusy, promptIsEdited: this.#kind !== "sh" && this.#kind !== "other" };
  }

  get activity(): TerminalActivity {
    if (this.#command) {
      const { id, line, startedAt, want } = this.#command;
      return { kind: "busy", commandId: id, line, since: startedAt, wants: want.kind };
    }
    if (this.#stage.at !== "command") return { kind: "idle" };
    return { kind: "busy", commandId: null, line: "", since: this.#stage.since, wants: this.#stage.wants };
  }

  async run(request: RunRequest, signal?: AbortSignal): Promise<CommandReport> {
    const line = normaliseLineEnds(request.line);
    checkCanBeTyped(line, this.#kind);
    if (this.isBusy) {
      const what = this.#command ? ` with "${this.#command.line.slice(0, 80)}"` : "";
      throw new CoreError(
        "terminal-busy",
        `Terminal "${this.#options.terminalId}" is busy${what}. Wait for it, answer it or interrupt it.`,
      );
    }
    const command = this.#createCommand(request.commandId, line);
    this.#command = command;
    if (request.task) new TaskGuard(command, request.task, this.#options.endForeground);
    void this.#start(command, request).catch((error: unknown) => this.#fail(command, error));
    return this.#wait(command, request.wait, signal);
  }

  async waitFor(commandId: CommandId, wait: RunRequest["wait"], signal?: AbortSignal): Promise<CommandReport> {
    const finished = this.#finished.find(commandId);
    if (finished) return finished;
    if (this.#command?.id === commandId) return this.#wait(this.#command, wait, signal);
    throw new CoreError(
      "command-not-found",
      `No command "${commandId}" in terminal "${this.#options.terminalId}". It may be too long ago.`,
    );
  }

  /** Takes a shell that was started ahead of time where it is wanted. */
  async moveInto({ cwd, env }: { cwd: string; env: Record<string, string> }): Promise<void> {
    await this.#untilPrompt();
    const script = `${changeFolderLine(this.#kind, cwd)}\n${prepareEnv(this.#kind, [], env).script}`;
    const line = await this.#typist.scriptLine(this.#kind, script);
    await this.run({ commandId: "cmd-0", line, wait: { type: "idle", idleMs: null, timeoutMs: 10_000 } });
  }

  /** Shows the prompt again, on an empty screen where the shell knows how. */
  repaint(): void {
    // A new prompt must not be taken for the end of the next command.
    if (this.#typist.repaint(this.#kind) === "new prompt") this.#stage = { at: "start" };
  }

  /** Somebody typed. */
  typed(): void {
    this.#typist.othersTyped();
    this.#command?.answered();
  }

  /** The terminal printed these bytes, from a position on. */
  printed(bytes: Buffer, position: number): void {
    if (this.#kind === "sh" && this.#typed && !this.#typed.hasStarted) {
      // Without a hook for it: a command starts behind the echo of its line.
      const newline = bytes.indexOf("\n");
      if (newline >= 0) this.#typed.started(position + newline + 1);
    }
    this.#typed?.touch(this.#options.position());
    if (this.#typed !== this.#command) this.#command?.touch(this.#options.position());
  }

  marker(marker: Marker): void {
    this.#pid ??= marker.pid;
    if (marker.pid !== this.#pid) {
      // A shell inside of ours that inherited its hooks: to our command it is a program that reads.
      if (marker.kind === "prompt") this.#command?.setWant({ kind: "input", evidence: "marker" });
      return;
    }
    switch (marker.kind) {
      case "started":
        this.#stage = { at: "command", since: this.#options.now(), wants: "nothing" };
        this.#typed?.started(this.#options.position());
        this.#options.onChanged();
        return;
      case "ended":
        this.#cwd = marker.cwd ?? this.#cwd;
        this.#typed?.ended({ ...marker, position: this.#options.position() });
        return;
      case "refused":
        this.#typed?.ended({ ...marker, position: this.#options.position() });
        if (this.#typed) this.#typist.interrupt();
        return;
      case "prompt":
        this.#prompted(marker);
        return;
      case "continuation":
        this.#refuseUnfinished();
        return;
    }
  }

  /** What the kernel says, after a moment of silence. `program` is what the terminal's first process is by now. */
  judged(judgement: Judgement, { program, silentMs }: { program: string; silentMs: number }): void {
    if (judgement.kind !== "shell-reads") {
      this.#wants(judgement);
      return;
    }
    const command = this.#typed;
    const verdict = judgeShell({
      kind: this.#kind,
      isShell: this.#options.kind === "other" || shellKindOf(program) !== "other",
      isEditing: judgement.isEditing,
      silentMs,
      hasHooks: this.#hasHooks,
      isStarting: this.#stage.at === "start",
      typed: command,
      hasReacted: this.#options.position() > this.#typedAtPosition,
      isTakingBack: this.#takeBacks > 0,
    });
    switch (verdict) {
      case "question":
        this.#wants({ kind: judgement.hidesInput ? "secret" : "input", evidence: "kernel" });
        break;
      case "unfinished":
        this.#refuseUnfinished();
        break;
      case "interrupt-again":
        this.#takeBack();
        break;
      case "prompt":
        this.#reachedPrompt({ hasHooks: false, kind: shellKindOf(program) });
        if (command) this.#finish(command, "kernel");
        break;
      case "too-early":
    }
  }

  /** The shell is gone, and with it whatever ran in it. */
  exited(exitCode: number | null): void {
    if (this.#command) this.#close(this.#command.finish("exited", "exit", exitCode));
  }

  #wants(want: Want): void {
    const { activity } = this;
    this.#command?.setWant(want);
    if (activity.kind === "idle" || activity.wants === want.kind) return;
    if (this.#stage.at === "command") this.#stage = { ...this.#stage, wants: want.kind };
    this.#options.onChanged();
  }

  #createCommand(id: CommandId, line: string): Command {
    const { terminalId, now, position } = this.#options;
    return new Command({ id, terminalId, line, cwd: this.#cwd, position: position(), now });
  }

  #wait(command: Command, wait: RunRequest["wait"], signal?: AbortSignal): Promise<CommandReport> {
    return waitForCommand(command, wait, { now: this.#options.now, ...(signal && { signal }) });
  }

  async #start(command: Command, { cwd, env }: RunRequest): Promise<void> {
    await this.#untilPrompt();
    if (cwd !== undefined && cwd !== this.#cwd) {
      const { exitCode } = await this.#prepare(command.id, changeFolderLine(this.#kind, cwd));
      if (exitCode !== 0) throw new CoreError("cwd-not-found", `The shell cannot go to "${cwd}". Nothing was run.`);
    }
    if (this.#envNames.length > 0 || Object.keys(env ?? {}).length > 0) {
      const { script, names } = prepareEnv(this.#kind, this.#envNames, env ?? {});
      this.#envNames = names;
      await this.#prepare(command.id, await this.#typist.scriptLine(this.#kind, script));
    }
    await this.#type(command);
  }

  /** Types a line of our own before the command, and waits until the shell is back. */
  async #prepare(id: CommandId, line: string): Promise<CommandReport> {
    const preparation = this.#createCommand(id, line);
    await this.#type(preparation);
    return this.#wait(preparation, { type: "idle", idleMs: null, timeoutMs: 10_000 });
  }

  async #type(command: Command): Promise<void> {
    const keys = await this.#typist.keysFor(this.#kind, command.line);
    // It may have been given up while the file was written.
    if (this.#command?.id !== command.id) return;
    this.#typed = command;
    this.#typedAtPosition = this.#options.position();
    command.typed(this.#typedAtPosition);
    this.#stage = { at: "command", since: this.#options.now(), wants: "nothing" };
    if (command === this.#command) this.#options.onTyped({ commandId: command.id, line: command.line });
    this.#typist.press(keys);
    this.#options.onChanged();
  }

  async #untilPrompt(): Promise<void> {
    if (this.#stage.at !== "prompt") await this.#gate.wait();
  }

  #prompted(status: ShellStatus): void {
    const command = this.#typed;
    // A line editor repaints its prompt when it likes; only after a start or an end does it mean something.
    if (command && !command.hasStarted && !command.hasEnded && status.shell !== "sh") return;

    // Another shell under the same pid: `exec` took the exit code with it.
    const wasReplaced = this.#hasHooks && shellKindOf(status.shell) !== this.#kind;
    this.#cwd = status.cwd ?? this.#cwd;
    this.#reachedPrompt({ hasHooks: true, kind: shellKindOf(status.shell) });
    if (!command) return;
    if (!command.hasEnded) {
      const exitCode = wasReplaced ? null : status.exitCode;
      command.ended({ exitCode, cwd: status.cwd, position: this.#options.position() });
    }
    this.#finish(command, "marker");
  }

  #reachedPrompt({ hasHooks, kind }: { hasHooks: boolean; kind: ShellKind }): void {
    this.#hasHooks = hasHooks;
    this.#kind = kind;
    this.#stage = { at: "prompt" };
    this.#takeBacks = 0;
    this.#gate.open();
    if (!this.#typed) this.#options.onChanged();
  }

  #finish(command: Command, evidence: Evidence): void {
    this.#typed = null;
    this.#typist.removeScripts();
    const report = command.finish("completed", evidence);
    if (command === this.#command) this.#close(report);
  }

  /** The shell wants more of a text that was to be whole: nothing of it may stay on its line. */
  #refuseUnfinished(): void {
    if (!this.#typed || !this.#command) return;
    this.#stage = { at: "start" };
    this.#takeBack();
    this.#fail(
      this.#command,
      new CoreError(
        "incomplete-command",
        "The shell did not take it: a quote, a bracket or a block is open, or it is not this shell's language.",
      ),
    );
  }

  /** Bash now and then sleeps through the first one, and would lose the first key of what is typed next. */
  #takeBack(): void {
    this.#takeBacks = this.#takeBacks < MAX_TAKE_BACKS ? this.#takeBacks + 1 : 0;
    if (this.#takeBacks > 0) this.#typist.interrupt();
  }

  #fail(command: Command, error: unknown): void {
    if (this.#command === command) this.#command = null;
    this.#typed = null;
    command.fail(error instanceof Error ? error : new Error(String(error)));
    this.#options.onChanged();
  }

  #close(report: CommandReport): void {
    this.#command = null;
    this.#typed = null;
    this.#finished.add(report);
    this.#options.onFinished(report);
    this.#options.onChanged();
  }
}
