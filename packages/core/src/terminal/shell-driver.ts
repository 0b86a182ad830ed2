import { resolve } from "node:path";
import type { CommandId, CommandReport, Evidence, ReachedLimit, TerminalActivity, TerminalId } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import type { SilenceReason } from "../evidence/explain-silence.ts";
import { judgeShell } from "../evidence/judge-shell.ts";
import type { Folder, ShellProcess } from "../evidence/shell-process.ts";
import { FinishedCommands } from "../host/finished-commands.ts";
import type { RunRequest } from "../pool/requests.ts";
import type { TerminalFolder } from "../pool/terminal-folder.ts";
import type { ShellKind } from "../shell/hooks.ts";
import type { Marker, ShellStatus } from "../shell/markers.ts";
import { parseSaved, preparationScript, type SavedEnv } from "../shell/preparation.ts";
import { shellKindOf } from "../shell/shells.ts";
import { stateReading } from "../shell/state-script.ts";
import { checkCanBeTyped } from "../shell/typing/completeness.ts";
import { LineAcceptance, lengthBeforePrompt, MAX_BEFORE_PROMPT_BYTES } from "../shell/typing/line-acceptance.ts";
import { PromptGate } from "../shell/typing/prompt-gate.ts";
import { normaliseLineEnds } from "../shell/typing/typing.ts";
import { Typist, type TypistOptions } from "../shell/typing/typist.ts";
import { Command, type Want } from "./command.ts";
import { isEdited, PromptConfirmation } from "./prompt-confirmation.ts";
import { TaskGuard } from "./task-guard.ts";
import { waitForCommand } from "./wait.ts";

export interface ShellDriverOptions extends Omit<TypistOptions, "writeScript"> {
  terminalId: TerminalId;
  kind: ShellKind;
  cwd: string;
  now: () => number;
  /** What the kernel says about the shell. */
  process: () => ShellProcess;
  /** For files that the shell reads and writes. */
  folder: Pick<TerminalFolder, "newPath" | "take" | "writeScript">;
  /** Position after the last byte of output. */
  position: () => number;
  /** Hides what the terminal prints while a line of our own is typed and carried out. */
  outOfSight: <Value>(line: string, work: () => Promise<Value>) => Promise<Value>;
  /** Resolves once everything that was printed before has been read. */
  drain: () => Promise<void>;
  /** Ends the running program, but not the shell. */
  endForeground: () => void;
  onTyped: (command: { commandId: CommandId; line: string }) => void;
  onChanged: () => void;
  onFinished: (report: CommandReport) => void;
  /** Which limits the terminal reached since the last call. */
  takeReachedLimit: (exitCode: number | null) => ReachedLimit | null;
}

type Stage =
  | { at: "start" }
  | { at: "prompt" }
  /** A person's command, or one of ours: then `#command` is set. */
  | { at: "command"; since: number; wants: Want["kind"] };

/** Input that we type for ourselves, which is not announced. */
const OWN_COMMAND: CommandId = "cmd-0";
const STATE_LIMIT_MS = 5_000;
/** After this many ignored interrupts, another will not bring the prompt back. */
const MAX_TAKE_BACKS = 5;

/**
 * A shell: which command runs in it, and how we know that it is done.
 *
 * 1. `run` reserves the shell, waits for its prompt, sets folder and environment
 *    if requested, and types.
 * 2. The markers report start, end and the next prompt. Any program in the terminal can print one, so
 *    the prompt finishes a command only once the kernel confirms that the shell waits for a line.
 * 3. If markers are lost, the kernel's information is used instead.
 * 4. The folder comes from the kernel, too, because the shell's own folder is only a variable.
 */
export class ShellDriver {
  readonly #options: ShellDriverOptions;
  readonly #finished = new FinishedCommands();
  readonly #typist: Typist;
  readonly #gate = new PromptGate();
  #kind: ShellKind;
  #stage: Stage = { at: "start" };
  #hasHooks = false;
  /** It has shown a prompt. Before that, its process may not have exec'ed the shell yet. */
  #isUp = false;
  /** The pid as the shell sees it, from its first marker. */
  #pid: number | null = null;
  #command: Command | null = null;
  /** The command whose text is in the shell: `#command`, or its preparation. */
  #typed: Command | null = null;
  /** The last known folder. */
  #cwd: string;
  /** The values that the environment of the last command replaced. */
  #savedEnv: SavedEnv = new Map();
  #typedAtPosition = 0;
  readonly #acceptance = new LineAcceptance();
  readonly #confirmation: PromptConfirmation;
  #promptsSeen = 0;
  #lastBytes = "";
  /** Others typed where the shell may have read it: left-over text must not become part of the next command. */
  #mayHaveLeftovers = false;
  /** How often an unfinished text was interrupted, since the last prompt. */
  #takeBacks = 0;

  constructor(options: ShellDriverOptions) {
    this.#options = options;
    this.#typist = new Typist({ write: options.write, writeScript: (text) => options.folder.writeScript(text) });
    this.#kind = options.kind;
    this.#cwd = options.cwd;
    this.#confirmation = new PromptConfirmation({
      process: options.process,
      kind: () => this.#kind,
      drain: options.drain,
      onPrompt: (status, position) => this.#prompted(status, position),
      onContinuation: () => this.#refuseUnfinished(),
    });
  }

  /** The last known folder, even after the shell has ended. */
  get lastCwd(): string {
    return this.#cwd;
  }

  /** The shell's folder according to the kernel; null if unknown, and before the shell is up. */
  get folder(): Folder | null {
    return this.#isUp ? this.#options.process().folder() : null;
  }

  /** Incremented with every prompt marker, even before it is confirmed: typing for a program stops then. */
  get promptsSeen(): number {
    return this.#promptsSeen;
  }

  get isBusy(): boolean {
    return this.#command !== null || this.#stage.at === "command";
  }

  /** Whether there is anything to find out about it. */
  get isUncertain(): boolean {
    return this.isBusy || this.#takeBacks > 0;
  }

  /** What the markers say about the reader. */
  get keyboard(): { isAtPrompt: boolean; promptIsEdited: boolean } {
    return { isAtPrompt: !this.isBusy, promptIsEdited: isEdited(this.#kind) };
  }

  get activity(): TerminalActivity {
    if (this.#command) {
      const { id, line, startedAt, want } = this.#command;
      return { kind: "busy", commandId: id, line, since: startedAt, wants: shownOf(want) };
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
      `No command "${commandId}" in terminal "${this.#options.terminalId}". It may be too old.`,
    );
  }

  /** Moves a shell that was started in advance to the requested folder. */
  async moveInto({ cwd, env }: { cwd: string; env: Record<string, string> }): Promise<void> {
    await this.#untilPrompt();
    const script = preparationScript(this.#kind, {
      cwd,
      env,
      restore: new Map(),
      savedFile: this.#options.folder.newPath(),
    });
    const line = await this.#typist.scriptLine(this.#kind, script);
    await this.run({ commandId: OWN_COMMAND, line, wait: { type: "idle", idleMs: null, timeoutMs: 10_000 } });
  }

  /**
   * The shell's variables, functions and options, as text that the same kind of shell can read; null for a kind that cannot
   * report them. Neither the terminal nor its recording shows that the shell was asked.
   */
  async readState(): Promise<{ kind: ShellKind; text: string | null }> {
    const kind = this.#kind;
    const file = this.#options.folder.newPath();
    const reading = stateReading(kind, file);
    if (reading === null) return { kind, text: null };
    await this.#untilPrompt();
    await this.#clearLine();
    const line = reading.lineFor(await this.#typist.scriptPath(reading.script));
    const wait = { type: "idle", idleMs: null, timeoutMs: STATE_LIMIT_MS } as const;
    const { state } = await this.#options.outOfSight(line, () => this.run({ commandId: OWN_COMMAND, line, wait }));
    if (state !== "completed") throw new CoreError("terminal-busy", "The shell did not say what it is like in time.");
    return { kind, text: await this.#options.folder.take(file).catch(() => null) };
  }

  /** Shows the prompt again, on an empty screen if the shell supports it. */
  repaint(): void {
    // A new prompt must not be mistaken for the end of the next command.
    if (this.#typist.repaint(this.#kind) === "new prompt") this.#stage = { at: "start" };
  }

  /** Input was typed for the current reader; `isGuarded` if no part of it can be left for the shell. */
  typed({ isGuarded }: { isGuarded: boolean }): void {
    if (!isGuarded) this.#mayHaveLeftovers = true;
    this.#command?.answered();
  }

  /** The terminal printed these bytes, starting at a position. */
  printed(bytes: Buffer, position: number): void {
    this.#lastBytes = (
      this.#lastBytes + bytes.toString("latin1", Math.max(0, bytes.byteLength - MAX_BEFORE_PROMPT_BYTES))
    ).slice(-MAX_BEFORE_PROMPT_BYTES);
    // Without a hook, a command starts after the echo of its line.
    if (this.#typed && !this.#typed.hasStarted) {
      const startPosition = this.#acceptance.find(this.#kind, bytes, position);
      if (startPosition !== null) {
        // A prompt that came before, such as a repainted one, cannot be the end of it.
        this.#confirmation.forget();
        this.#typed.started(startPosition);
      }
    }
    this.#typed?.printed(this.#options.position());
    if (this.#typed !== this.#command) this.#command?.printed(this.#options.position());
  }

  marker(marker: Marker): void {
    this.#pid ??= marker.pid;
    // A nested shell that inherited the hooks: for our command it is a program, and the kernel says when it reads.
    if (marker.pid !== this.#pid) return;
    const position = this.#options.position();
    switch (marker.kind) {
      case "started":
        // A shell at its prompt has started nothing: another program printed this.
        if (!this.#typed && this.#options.process().doing() === "edits") return;
        this.#confirmation.forget();
        this.#stage = { at: "command", since: this.#options.now(), wants: "nothing" };
        this.#typed?.started(position);
        // A command that we typed was already announced.
        if (!this.#typed) this.#options.onChanged();
        return;
      case "ended":
      case "refused":
        // Only fish prints these. They say where the output ends; the exit code comes from a confirmed prompt.
        if (this.#kind !== "fish" || !this.#typed) return;
        this.#typed.ended({ exitCode: null, position });
        if (marker.kind === "refused") this.#typist.interrupt();
        return;
      case "prompt":
      case "prompt-again":
        this.#promptsSeen += 1;
        this.#confirmation.add({
          kind: marker.kind,
          status: marker,
          position: position - lengthBeforePrompt(this.#lastBytes),
        });
        return;
      case "continuation":
        this.#confirmation.add({ kind: "continuation", position });
        return;
    }
  }

  /** What the kernel says after a moment of silence. `program` is what the terminal's first process is now. */
  silent(reason: SilenceReason, { program, silentMs }: { program: string; silentMs: number }): void {
    if (reason.kind !== "shell-reads") {
      this.#wants(reason);
      return;
    }
    const command = this.#typed;
    const verdict = judgeShell({
      kind: this.#kind,
      isShell: this.#options.kind === "other" || shellKindOf(program) !== "other",
      isEditing: reason.isEditing,
      silentMs,
      hasHooks: this.#hasHooks,
      isStarting: this.#stage.at === "start",
      typed: command,
      hasReacted: this.#options.position() > this.#typedAtPosition,
      isTakingBack: this.#takeBacks > 0,
    });
    switch (verdict) {
      case "question":
        this.#wants({ kind: reason.hidesInput ? "secret" : "input", evidence: "kernel" });
        break;
      case "unfinished":
        this.#refuseUnfinished();
        break;
      case "interrupt-again":
        this.#takeBack();
        break;
      case "prompt":
        this.#confirmation.forget();
        this.#reachedPrompt({ hasHooks: false, kind: shellKindOf(program) });
        if (command) this.#finish(command, "kernel");
        break;
      case "too-early":
    }
  }

  /** The shell has ended, with everything in it. */
  exited(exitCode: number | null): void {
    if (!this.#command) return;
    this.#command.ranOutOf(this.#options.takeReachedLimit(exitCode));
    this.#close(this.#command.exit(exitCode));
  }

  #wants(want: Want): void {
    const { activity } = this;
    this.#command?.setWant(want);
    const wants = shownOf(want);
    if (activity.kind === "idle" || activity.wants === wants) return;
    if (this.#stage.at === "command") this.#stage = { ...this.#stage, wants };
    this.#options.onChanged();
  }

  #createCommand(id: CommandId, line: string): Command {
    const { terminalId, now, position } = this.#options;
    return new Command({ id, terminalId, line, cwd: this.#cwd, position: position(), now });
  }

  #wait(command: Command, wait: RunRequest["wait"], signal?: AbortSignal): Promise<CommandReport> {
    return waitForCommand(command, wait, signal);
  }

  async #start(command: Command, { cwd, env = {}, folderId }: RunRequest): Promise<void> {
    await this.#untilPrompt();
    await this.#clearLine();
    await this.#prepare(command.id, cwd ?? null, env);
    const { folder } = this;
    if (folderId !== undefined && folder !== null && folderId !== folder.id) {
      throw new CoreError(
        "folder-changed",
        `The shell is in "${folder.path}", which is not the folder that the command was judged for. Nothing was run.`,
      );
    }
    command.startIn(folder?.path ?? this.#cwd);
    await this.#type(command);
  }

  /** Interrupts an unfinished line that was left in the shell. Unlike editing keys this works in every mode of the line editor. */
  async #clearLine(): Promise<void> {
    if (!this.#mayHaveLeftovers) return;
    this.#mayHaveLeftovers = false;
    this.#stage = { at: "start" };
    this.#takeBack();
    await this.#untilPrompt();
  }

  /** Sets the folder and variables of the command in the shell. */
  async #prepare(id: CommandId, cwd: string | null, env: Record<string, string>): Promise<void> {
    const before = this.folder;
    const wanted = cwd === null ? null : resolve(before?.path ?? this.#cwd, cwd);
    const shell = this.#options.process();
    const target = wanted !== null && before?.id === (shell.folderAt(wanted)?.id ?? null) ? null : wanted;
    const names = Object.keys(env);
    if (target === null && names.length === 0 && this.#savedEnv.size === 0) return;
    const savedFile = this.#options.folder.newPath();
    const script = preparationScript(this.#kind, { cwd: target, restore: this.#savedEnv, env, savedFile });
    const preparation = this.#createCommand(id, await this.#typist.scriptLine(this.#kind, script));
    await this.#type(preparation);
    const { exitCode } = await this.#wait(preparation, { type: "idle", idleMs: null, timeoutMs: 10_000 });
    const { folder } = this;
    if (target !== null && (folder ? folder.id !== shell.folderAt(target)?.id : exitCode !== 0)) {
      throw new CoreError("cwd-not-found", `The shell cannot go to "${target}". Nothing was run.`);
    }
    if (exitCode !== 0) throw new CoreError("env-refused", "The shell did not take the variables. Nothing was run.");
    this.#savedEnv = names.length === 0 ? new Map() : parseSaved(await this.#options.folder.take(savedFile), names);
  }

  async #type(command: Command): Promise<void> {
    const keys = await this.#typist.keysFor(this.#kind, command.line);
    // It may have been aborted while the file was written.
    if (this.#command?.id !== command.id) return;
    this.#typed = command;
    this.#confirmation.forget();
    this.#acceptance.restart();
    this.#typedAtPosition = this.#options.position();
    command.typed(this.#typedAtPosition);
    this.#stage = { at: "command", since: this.#options.now(), wants: "nothing" };
    if (command === this.#command && command.id !== OWN_COMMAND)
      this.#options.onTyped({ commandId: command.id, line: command.line });
    this.#typist.press(keys);
    this.#options.onChanged();
  }

  async #untilPrompt(): Promise<void> {
    if (this.#stage.at !== "prompt") await this.#gate.wait();
  }

  #prompted(status: ShellStatus, position: number): void {
    const command = this.#typed;
    const kind = shellKindOf(status.shell);
    // A line editor repaints its prompt at any time; it is significant only after a start or an end, or with a new turn.
    if (command && !command.hasStarted && status.turn === "" && kind !== "sh") return;

    // Another shell with the same pid: the exit code was lost with `exec`.
    const wasReplaced = this.#hasHooks && kind !== this.#kind;
    this.#reachedPrompt({ hasHooks: true, kind });
    if (!command) return;
    command.ended({
      exitCode: wasReplaced ? null : status.exitCode,
      position: command.hasEnded ? command.endPosition : position,
    });
    this.#finish(command, "marker");
  }

  #reachedPrompt({ hasHooks, kind }: { hasHooks: boolean; kind: ShellKind }): void {
    this.#isUp = true;
    this.#hasHooks = hasHooks;
    this.#kind = kind;
    this.#stage = { at: "prompt" };
    this.#cwd = this.folder?.path ?? this.#cwd;
    this.#takeBacks = 0;
    this.#gate.open();
    if (!this.#typed) this.#options.onChanged();
  }

  #finish(command: Command, evidence: Evidence): void {
    this.#typed = null;
    this.#typist.removeScripts();
    const { exitCode } = command;
    // The check costs as much as a small command, and a successful command was not affected by a limit.
    if (exitCode !== 0) command.ranOutOf(this.#options.takeReachedLimit(exitCode));
    const report = command.complete({ evidence, cwd: this.#cwd });
    if (command === this.#command) this.#close(report);
  }

  /** The shell waits for more of a text that should be complete: nothing of it may stay on its line. */
  #refuseUnfinished(): void {
    if (!this.#typed || !this.#command) return;
    this.#stage = { at: "start" };
    this.#takeBack();
    this.#fail(
      this.#command,
      new CoreError(
        "incomplete-command",
        "The shell did not accept it: a quote, a bracket or a block is open, or it is not in this shell's language.",
      ),
    );
  }

  /** Bash occasionally misses the first interrupt, and would lose the first key of the next text. */
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
    if (report.commandId !== OWN_COMMAND) {
      this.#finished.add(report);
      this.#options.onFinished(report);
    }
    this.#options.onChanged();
  }
}

/** Its description for people. */
function shownOf({ kind, isBrief }: Want): Want["kind"] {
  return isBrief ? "nothing" : kind;
}
