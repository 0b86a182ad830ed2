import type { Evidence, TerminalActivity } from "@belay/protocol";
import type { SilenceReason } from "../../evidence/explain-silence.ts";
import { judgeShell } from "../../evidence/judge-shell.ts";
import type { Folder, ShellProcess } from "../../evidence/shell-process.ts";
import type { ShellKind } from "../../shell/hooks.ts";
import type { Marker, ShellStatus } from "../../shell/markers.ts";
import { shellKindOf } from "../../shell/shells.ts";
import { LineAcceptance, lengthBeforePrompt, MAX_BEFORE_PROMPT_BYTES } from "../../shell/typing/line-acceptance.ts";
import type { Command, Want } from "./command.ts";
import { PromptConfirmation } from "./prompt-confirmation.ts";

interface ShellObserverOptions {
  kind: ShellKind;
  cwd: string;
  now: () => number;
  process: () => ShellProcess;
  position: () => number;
  drain: () => Promise<void>;
  /** Whether an unfinished text was interrupted, and the prompt has not come yet. */
  isTakingBack: () => boolean;
  /** A person's command has started. */
  onStarted: () => void;
  onPrompt: () => void;
  /** What was typed is done. The shell is at its prompt by then. */
  onDone: (typed: Command, evidence: Evidence) => void;
  /** The shell refused the typed text (fish), and keeps it on its line. */
  onRefused: () => void;
  /** The shell waits for more of a text that should be complete. */
  onUnfinished: () => void;
  onMissedInterrupt: () => void;
  onWant: (want: Want) => void;
}

type Stage =
  | { at: "start" }
  | { at: "prompt" }
  /** A person's command, or one of ours: then `typed` is set. */
  | { at: "command"; since: number; wants: Want["kind"] };

/**
 * What a shell is doing, and how we know.
 *
 * 1. The markers report start, end and the next prompt. Any program in the terminal can print one, so
 *    the prompt finishes a command only once the kernel confirms that the shell waits for a line.
 * 2. If markers are lost, the kernel's information is used instead.
 * 3. The folder comes from the kernel, too, because the shell's own folder is only a variable.
 */
export class ShellObserver {
  readonly #options: ShellObserverOptions;
  #kind: ShellKind;
  #stage: Stage = { at: "start" };
  #hasHooks = false;
  #isUp = false;
  /** The pid as the shell sees it, from its first marker. */
  #pid: number | null = null;
  #typed: Command | null = null;
  #typedAtPosition = 0;
  /** The last known folder. */
  #cwd: string;
  readonly #acceptance = new LineAcceptance();
  readonly #confirmation: PromptConfirmation;
  #promptsSeen = 0;
  #lastBytes = "";

  constructor(options: ShellObserverOptions) {
    this.#options = options;
    this.#kind = options.kind;
    this.#cwd = options.cwd;
    this.#confirmation = new PromptConfirmation({
      process: options.process,
      kind: () => this.#kind,
      drain: options.drain,
      onPrompt: (status, position) => this.#prompted(status, position),
      onContinuation: options.onUnfinished,
    });
  }

  get kind(): ShellKind {
    return this.#kind;
  }

  /** The last known folder, even after the shell has ended. */
  get lastCwd(): string {
    return this.#cwd;
  }

  /** It has shown a prompt. Before that, its process may not have exec'ed the shell yet. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** The shell's folder according to the kernel; null if unknown, and before the shell is up. */
  get folder(): Folder | null {
    return this.isUp ? this.#options.process().folder() : null;
  }

  /** Incremented with every prompt marker, even before it is confirmed. */
  get promptsSeen(): number {
    return this.#promptsSeen;
  }

  get isAtPrompt(): boolean {
    return this.#stage.at === "prompt";
  }

  get isBusy(): boolean {
    return this.#stage.at === "command";
  }

  /** The command whose text is in the shell, or its preparation. */
  get typed(): Command | null {
    return this.#typed;
  }

  /** Its activity, as long as none of our commands is in it. */
  get activity(): TerminalActivity {
    if (this.#stage.at !== "command") return { kind: "idle" };
    return { kind: "busy", commandId: null, line: "", since: this.#stage.since, wants: this.#stage.wants };
  }

  setWants(wants: Want["kind"]): void {
    if (this.#stage.at === "command") this.#stage = { ...this.#stage, wants };
  }

  /** The text of this command is about to be typed. */
  expect(command: Command): void {
    this.#typed = command;
    this.#confirmation.forget();
    this.#acceptance.restart();
    this.#typedAtPosition = this.#options.position();
    command.typed(this.#typedAtPosition);
    this.#stage = { at: "command", since: this.#options.now(), wants: "nothing" };
  }

  forgetTyped(): void {
    this.#typed = null;
  }

  /** Something was sent after which the shell shows a prompt that is not the end of a command. */
  expectPrompt(): void {
    this.#stage = { at: "start" };
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
        if (!this.#typed) this.#options.onStarted();
        return;
      case "ended":
      case "refused":
        // Only fish prints these. They say where the output ends; the exit code comes from a confirmed prompt.
        if (this.#kind !== "fish" || !this.#typed) return;
        this.#typed.ended({ exitCode: null, position });
        if (marker.kind === "refused") this.#options.onRefused();
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
      this.#options.onWant(reason);
      return;
    }
    const typed = this.#typed;
    const verdict = judgeShell({
      kind: this.#kind,
      isShell: this.#options.kind === "other" || shellKindOf(program) !== "other",
      isEditing: reason.isEditing,
      silentMs,
      hasHooks: this.#hasHooks,
      isStarting: this.#stage.at === "start",
      typed,
      hasReacted: this.#options.position() > this.#typedAtPosition,
      isTakingBack: this.#options.isTakingBack(),
    });
    switch (verdict) {
      case "question":
        this.#options.onWant({ kind: reason.hidesInput ? "secret" : "input", evidence: "kernel" });
        break;
      case "unfinished":
        this.#options.onUnfinished();
        break;
      case "interrupt-again":
        this.#options.onMissedInterrupt();
        break;
      case "prompt":
        this.#confirmation.forget();
        this.#reachedPrompt({ hasHooks: false, kind: shellKindOf(program) });
        if (typed) this.#options.onDone(typed, "kernel");
        break;
      case "too-early":
    }
  }

  #prompted(status: ShellStatus, position: number): void {
    const typed = this.#typed;
    const kind = shellKindOf(status.shell);
    // A line editor may repaint its prompt at any time: it counts only after a start or an end, or with a new turn.
    if (typed && !typed.hasStarted && status.turn === "" && kind !== "sh") return;

    // Another shell with the same pid: the exit code was lost with `exec`.
    const wasReplaced = this.#hasHooks && kind !== this.#kind;
    this.#reachedPrompt({ hasHooks: true, kind });
    if (!typed) return;
    typed.ended({
      exitCode: wasReplaced ? null : status.exitCode,
      position: typed.hasEnded ? typed.endPosition : position,
    });
    this.#options.onDone(typed, "marker");
  }

  #reachedPrompt({ hasHooks, kind }: { hasHooks: boolean; kind: ShellKind }): void {
    this.#isUp = true;
    this.#hasHooks = hasHooks;
    this.#kind = kind;
    this.#stage = { at: "prompt" };
    this.#cwd = this.folder?.path ?? this.#cwd;
    this.#options.onPrompt();
  }
}
