import type { CommandId, CommandReport, Evidence, ReachedLimit, TerminalActivity, TerminalId } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import type { SilenceReason } from "../../evidence/explain-silence.ts";
import type { Folder, ShellProcess } from "../../evidence/shell-process.ts";
import { FinishedCommands } from "../../host/finished-commands.ts";
import type { RunRequest } from "../../pool/requests.ts";
import type { TerminalFolder } from "../../pool/terminal-folder.ts";
import type { ShellKind } from "../../shell/hooks.ts";
import type { Marker } from "../../shell/markers.ts";
import { preparationScript } from "../../shell/preparation.ts";
import { stateReading } from "../../shell/state-script.ts";
import { checkCanBeTyped } from "../../shell/typing/completeness.ts";
import { PromptGate } from "../../shell/typing/prompt-gate.ts";
import { normaliseLineEnds } from "../../shell/typing/typing.ts";
import { Typist, type TypistOptions } from "../../shell/typing/typist.ts";
import { Command, type Want } from "./command.ts";
import { CommandPreparation } from "./command-preparation.ts";
import { isEdited } from "./prompt-confirmation.ts";
import { ShellObserver } from "./shell-observer.ts";
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
  /** Hides what the terminal prints while a line of our own is typed and runs. */
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

/** Input that we type for ourselves, which is not announced. */
const OWN_COMMAND: CommandId = "cmd-0";
const STATE_LIMIT_MS = 5_000;
const PREPARATION = { type: "idle", idleMs: null, timeoutMs: 10_000 } as const;
/** After this many ignored interrupts, another will not bring the prompt back. */
const MAX_TAKE_BACKS = 5;

/**
 * Runs commands in a shell, one at a time.
 *
 * `run` reserves the shell, waits for its prompt, sets folder and environment if requested, and types.
 * The observer says when it is done, and why we know.
 */
export class ShellDriver {
  readonly #options: ShellDriverOptions;
  readonly #finished = new FinishedCommands();
  readonly #typist: Typist;
  readonly #gate = new PromptGate();
  readonly #shell: ShellObserver;
  readonly #preparation: CommandPreparation;
  #command: Command | null = null;
  /** Other input was typed that the shell may have read: left-over text must not become part of the next command. */
  #mayHaveLeftovers = false;
  /** How often an unfinished text was interrupted, since the last prompt. */
  #takeBacks = 0;

  constructor(options: ShellDriverOptions) {
    const { kind, cwd, now, process, position, drain, folder } = options;
    this.#options = options;
    this.#typist = new Typist({ write: options.write, writeScript: (text) => folder.writeScript(text) });
    this.#shell = new ShellObserver({
      kind,
      cwd,
      now,
      process,
      position,
      drain,
      isTakingBack: () => this.#takeBacks > 0,
      onStarted: options.onChanged,
      onPrompt: () => this.#onPrompt(),
      onDone: (typed, evidence) => this.#finish(typed, evidence),
      onRefused: () => this.#typist.interrupt(),
      onUnfinished: () => this.#refuseUnfinished(),
      onMissedInterrupt: () => this.#takeBack(),
      onWant: (want) => this.#setWant(want),
    });
    this.#preparation = new CommandPreparation({ process, files: folder, shell: () => this.#shell });
  }

  get lastCwd(): string {
    return this.#shell.lastCwd;
  }

  /** It has shown a prompt. */
  get isUp(): boolean {
    return this.#shell.isUp;
  }

  get folder(): Folder | null {
    return this.#shell.folder;
  }

  /** Typing for a program stops when this changes. */
  get promptsSeen(): number {
    return this.#shell.promptsSeen;
  }

  get isBusy(): boolean {
    return this.#command !== null || this.#shell.isBusy;
  }

  /** Whether there is anything to find out about it. */
  get isUncertain(): boolean {
    return this.isBusy || this.#takeBacks > 0;
  }

  /** What the markers say about the reader. */
  get keyboard(): { isAtPrompt: boolean; promptIsEdited: boolean } {
    return { isAtPrompt: !this.isBusy, promptIsEdited: isEdited(this.#shell.kind) };
  }

  get activity(): TerminalActivity {
    if (!this.#command) return this.#shell.activity;
    const { id, line, startedAt, want } = this.#command;
    return { kind: "busy", commandId: id, line, since: startedAt, wants: shownOf(want) };
  }

  async run(request: RunRequest, signal?: AbortSignal): Promise<CommandReport> {
    const line = normaliseLineEnds(request.line);
    checkCanBeTyped(line, this.#shell.kind);
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
    const script = preparationScript(this.#shell.kind, {
      cwd,
      env,
      restore: new Map(),
      savedFile: this.#options.folder.newPath(),
    });
    const line = await this.#typist.scriptLine(this.#shell.kind, script);
    await this.run({ commandId: OWN_COMMAND, line, wait: PREPARATION });
  }

  /**
   * The shell's variables, functions and options, as text that the same kind of shell can read; null for a kind that
   * cannot report them. Neither the terminal nor its recording shows that the shell was asked.
   */
  async readState(): Promise<{ kind: ShellKind; text: string | null }> {
    const kind = this.#shell.kind;
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
    if (this.#typist.repaint(this.#shell.kind) === "new prompt") this.#shell.expectPrompt();
  }

  /** Input was typed for the current reader; `isGuarded` if no part of it can be left for the shell. */
  typed({ isGuarded }: { isGuarded: boolean }): void {
    if (!isGuarded) this.#mayHaveLeftovers = true;
    this.#command?.answered();
  }

  /** The terminal printed these bytes, starting at a position. */
  printed(bytes: Buffer, position: number): void {
    this.#shell.printed(bytes, position);
    if (this.#shell.typed !== this.#command) this.#command?.printed(this.#options.position());
  }

  marker(marker: Marker): void {
    this.#shell.marker(marker);
  }

  /** What the kernel says after a moment of silence. `program` is what the terminal's first process is now. */
  silent(reason: SilenceReason, seen: { program: string; silentMs: number }): void {
    this.#shell.silent(reason, seen);
  }

  /** The shell has ended, with everything in it. */
  exited(exitCode: number | null): void {
    if (!this.#command) return;
    this.#command.ranOutOf(this.#options.takeReachedLimit(exitCode));
    this.#close(this.#command.exit(exitCode));
  }

  #setWant(want: Want): void {
    const { activity } = this;
    this.#command?.setWant(want);
    const wants = shownOf(want);
    if (activity.kind === "idle" || activity.wants === wants) return;
    this.#shell.setWants(wants);
    this.#options.onChanged();
  }

  #createCommand(id: CommandId, line: string): Command {
    const { terminalId, now, position } = this.#options;
    return new Command({ id, terminalId, line, cwd: this.#shell.lastCwd, position: position(), now });
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
    command.startIn(folder?.path ?? this.#shell.lastCwd);
    await this.#type(command);
  }

  /** Interrupts an unfinished line in the shell. Unlike editing keys, this works in every mode of a line editor. */
  async #clearLine(): Promise<void> {
    if (!this.#mayHaveLeftovers) return;
    this.#mayHaveLeftovers = false;
    this.#shell.expectPrompt();
    this.#takeBack();
    await this.#untilPrompt();
  }

  async #prepare(id: CommandId, cwd: string | null, env: Record<string, string>): Promise<void> {
    await this.#preparation.prepare({ cwd, env }, async (script) => {
      const preparation = this.#createCommand(id, await this.#typist.scriptLine(this.#shell.kind, script));
      await this.#type(preparation);
      return this.#wait(preparation, PREPARATION);
    });
  }

  async #type(command: Command): Promise<void> {
    const keys = await this.#typist.keysFor(this.#shell.kind, command.line);
    // It may have been aborted while the file was written.
    if (this.#command?.id !== command.id) return;
    this.#shell.expect(command);
    if (command === this.#command && command.id !== OWN_COMMAND)
      this.#options.onTyped({ commandId: command.id, line: command.line });
    this.#typist.press(keys);
    this.#options.onChanged();
  }

  async #untilPrompt(): Promise<void> {
    if (!this.#shell.isAtPrompt) await this.#gate.wait();
  }

  #onPrompt(): void {
    this.#takeBacks = 0;
    this.#gate.open();
    if (!this.#shell.typed) this.#options.onChanged();
  }

  #finish(command: Command, evidence: Evidence): void {
    this.#shell.forgetTyped();
    this.#typist.removeScripts();
    const { exitCode } = command;
    // The check costs as much as a small command, and a successful command was not affected by a limit.
    if (exitCode !== 0) command.ranOutOf(this.#options.takeReachedLimit(exitCode));
    const report = command.complete({ evidence, cwd: this.#shell.lastCwd });
    if (command === this.#command) this.#close(report);
  }

  /** The shell waits for more of a text that should be complete: nothing of it may stay on its line. */
  #refuseUnfinished(): void {
    if (!this.#shell.typed || !this.#command) return;
    this.#shell.expectPrompt();
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
    this.#shell.forgetTyped();
    command.fail(error instanceof Error ? error : new Error(String(error)));
    this.#options.onChanged();
  }

  #close(report: CommandReport): void {
    this.#command = null;
    this.#shell.forgetTyped();
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
