import type { CloseReason, ReachedLimit, TerminalId, TerminalInfo, TerminalState } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { findReader } from "../evidence/keyboard-reader.ts";
import { shellProcess } from "../evidence/shell-process.ts";
import { Watcher } from "../evidence/watcher.ts";
import { TerminalOutput } from "../output/terminal-output.ts";
import type { KeyboardReader, KillReport, SpawnRequest, TypeReport, TypeRequest } from "../pool/requests.ts";
import { endForeground } from "../processes/end-foreground.ts";
import { readStat } from "../processes/proc.ts";
import { Holds } from "../pty/holds.ts";
import type { Pty } from "../pty/pty.ts";
import type { ShellKind } from "../shell/hooks.ts";
import { INTERRUPT } from "../shell/typing/typing.ts";
import { ShellDriver } from "./commands/shell-driver.ts";
import { endPrograms } from "./end-programs.ts";
import { explainTerminal } from "./explain-terminal.ts";
import { GuardedTyping } from "./guarded-typing.ts";
import { Ownership } from "./ownership.ts";
import { type Printed, PrintedOutput, RELAY_MS } from "./printed-output.ts";
import { ProgramActivity } from "./program-activity.ts";
import { RecordingTap } from "./recording-tap.ts";
import { TerminalClock } from "./terminal-clock.ts";
import type { TerminalOptions } from "./terminal-options.ts";
import { nextState, type TerminalStateEvent } from "./terminal-state.ts";

/**
 * One terminal: a program behind a PTY, its output, and its activity.
 *
 * Bytes go from the PTY through the marker filter into the log, the tap and the
 * watchers; markers go to the shell driver.
 */
export class Terminal {
  readonly id: TerminalId;
  readonly output: TerminalOutput;
  readonly shell: ShellDriver | null;
  readonly #options: TerminalOptions;
  readonly #ownership: Ownership;
  readonly #printed: PrintedOutput;
  readonly #watcher: Watcher;
  #clock: TerminalClock;
  readonly #pty: Pty;
  readonly #tap: RecordingTap;
  readonly #exit: Promise<number | null>;
  #size: { cols: number; rows: number };
  #state: TerminalState = { status: "starting" };
  #hasExited = false;
  /** How many times input was written. */
  #writes = 0;
  readonly #program = new ProgramActivity({ onChanged: () => this.#options.events.onChanged(this) });
  #closing: Promise<KillReport> | null = null;
  readonly #typing = new GuardedTyping({
    pty: () => this.#pty,
    write: (bytes, options) => this.#write(bytes, options),
    isOpen: () => this.isOpen,
    assertOpen: () => this.assertOpen(),
    promptsSeen: () => this.shell?.promptsSeen ?? 0,
  });

  constructor(options: TerminalOptions) {
    const { id, request, shell, now } = options;
    this.id = id;
    this.#options = options;
    this.#ownership = new Ownership(request, now());
    this.#size = { cols: request.cols, rows: request.rows };
    const holds = new Holds({ pause: () => this.#pty.pause(), resume: () => this.#pty.resume() });
    this.#tap = new RecordingTap(options.openTap, holds.reason());
    this.output = new TerminalOutput({ maxBytes: options.maxOutputBytes, source: holds.reason() });
    this.shell = shell && this.#driveShell(shell.kind);
    this.#printed = new PrintedOutput({
      log: this.output,
      nonce: shell?.nonce ?? null,
      isRelayed: () => this.#pty.isRelayed === true,
      drain: () => this.#pty.drain(),
      onMarker: (marker) => this.shell?.marker(marker),
      onPrinted: (printed) => this.#onPrinted(printed),
    });
    this.#watcher = new Watcher({
      isNeeded: () => this.shell?.isUncertain ?? true,
      look: (silentMs) => this.#look(silentMs),
    });
    let resolveExit: (exitCode: number | null) => void = () => {};
    this.#exit = new Promise((resolve) => {
      resolveExit = resolve;
    });
    this.#pty = this.#openPty((exitCode) => {
      resolveExit(exitCode);
      this.#exited(exitCode);
    });
    this.#clock = this.#startClock();
    this.#move({ type: "spawned", pid: this.#pty.pid });
    if (!options.isWarm) this.#tap.open(this.info);
    this.#watcher.touch();
  }

  #openPty(onExit: (exitCode: number | null) => void): Pty {
    const { openPty, ptyOptions, held } = this.#options;
    try {
      return openPty(ptyOptions, { onOutput: (bytes) => this.#printed.push(bytes), onExit });
    } catch (error) {
      held?.close();
      throw error;
    }
  }

  /** Gives a warm shell to a caller, with its folder, variables and size, and an empty output. */
  async adopt(request: SpawnRequest): Promise<void> {
    this.#size = { cols: request.cols, rows: request.rows };
    this.#pty.resize(this.#size);
    await this.shell?.moveInto(request);
    this.output.restart();
    this.#ownership.adopt(request, this.#options.now());
    this.#clock.stop();
    this.#clock = this.#startClock();
    this.#tap.open(this.info);
    this.shell?.repaint();
  }

  get info(): TerminalInfo {
    const { request, since } = this.#ownership;
    return {
      id: this.id,
      ...this.#ownership.info,
      agentId: request.agentId,
      name: request.name,
      title: this.#printed.title,
      ...this.#folder,
      command: request.program.type === "argv" ? request.program.argv : null,
      shell: this.#options.shell?.path ?? null,
      ...(request.wall && { wall: request.wall.shown }),
      ...(request.account && { user: request.account.name }),
      ...(request.resources && { limits: request.resources }),
      createdAt: since,
      ...this.#size,
      state: this.#state.status === "running" ? { status: "running", pid: this.#pty.pid } : this.#state,
      activity: this.isOpen ? (this.shell?.activity ?? this.#program.describe(this.#ownership)) : { kind: "idle" },
      position: this.output.endPosition,
    };
  }

  get #folder(): Pick<TerminalInfo, "cwd" | "folderId" | "isStarting"> {
    const { shell } = this;
    if (!shell) return { cwd: this.#ownership.request.cwd };
    if (!this.isOpen) return { cwd: shell.lastCwd };
    if (!shell.isUp) return { cwd: shell.lastCwd, isStarting: true };
    const { folder } = shell;
    return folder ? { cwd: folder.path, folderId: folder.id } : { cwd: shell.lastCwd };
  }

  /** The ancestor of all programs in it. Those of a container are not below the program that only relays their bytes. */
  get leaderPid(): number {
    return this.#pty.isRelayed ? this.#pty.pid : this.#pty.leaderPid;
  }

  get isOpen(): boolean {
    return this.#state.status === "starting" || this.#state.status === "running";
  }

  write(data: string | Uint8Array): void {
    this.assertOpen();
    this.#write(typeof data === "string" ? Buffer.from(data) : data, { isGuarded: false });
  }

  /** Which program would get input typed now. */
  async reader(): Promise<KeyboardReader> {
    this.assertOpen();
    const { pid, device } = this.#pty;
    return findReader({ leaderPid: pid, device, shell: this.shell?.keyboard ?? null });
  }

  /** Types for these readers only. */
  type(request: TypeRequest): Promise<TypeReport> {
    return this.#typing.type(request);
  }

  /** Counts as use. */
  touch(): void {
    this.#clock.touch();
    this.#watcher.touch();
  }

  resize(size: { cols: number; rows: number }): void {
    this.assertOpen();
    this.#pty.resize(size);
    this.#size = size;
    this.#tap.tell((tap) => tap.resized(size));
    this.#options.events.onChanged(this);
  }

  giveToPerson({ forAWhile }: { forAWhile: boolean }): void {
    this.assertOpen();
    const isNewOwner = this.#ownership.giveToPerson({ forAWhile });
    this.#clock.stop();
    if (isNewOwner) this.#tap.tell((tap) => tap.ownerChanged("user"));
  }

  /** Hands it back to the agent. */
  handBack(): void {
    this.assertOpen();
    this.#ownership.handBack();
    this.#clock = this.#startClock();
    this.#tap.tell((tap) => tap.ownerChanged("agent"));
  }

  /** Ends it and all its processes. All callers get the same report. */
  close(reason: CloseReason): Promise<KillReport> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  assertOpen(): void {
    if (!this.isOpen) {
      throw new CoreError("terminal-closed", `Terminal "${this.id}" is closed. Its output can still be read.`);
    }
  }

  #write(bytes: Uint8Array, { isGuarded }: { isGuarded: boolean }): void {
    this.#pty.write(bytes);
    this.#writes += 1;
    this.shell?.typed({ isGuarded });
    this.#watcher.restart();
    this.touch();
  }

  async #close(reason: CloseReason): Promise<KillReport> {
    this.#move({ type: "close", reason });
    this.#clock.stop();
    this.#watcher.stop();
    this.#options.events.onClosing(this);
    const { held } = this.#options;
    const { exitCode, survivors } = await endPrograms({
      leaderPid: this.#pty.leaderPid,
      hasLeaderExited: () => this.#hasExited,
      marker: this.#options.marker,
      held,
      exit: this.#exit,
    });
    await this.#pty.drain();
    this.#pty.close();
    this.#printed.end();
    this.shell?.exited(exitCode);
    await this.#tap.close(exitCode);
    held?.close();
    this.#move({ type: "exited", exitCode });
    this.output.end(exitCode);
    this.#options.events.onClosed(this);
    return { existed: true, survivors };
  }

  #exited(exitCode: number | null): void {
    this.#hasExited = true;
    this.shell?.exited(exitCode);
    void this.close("exited");
  }

  #onPrinted({ bytes, position, isShown, hasNewTitle }: Printed): void {
    if (isShown) this.#tap.push(bytes);
    this.shell?.printed(bytes, position);
    if (!isShown) return;
    this.touch();
    if (hasNewTitle) this.#options.events.onChanged(this);
  }

  async #outOfSight<Value>(line: string, work: () => Promise<Value>): Promise<Value> {
    await this.#pty.drain();
    if (this.shell?.isBusy || this.#printed.isHiding || !this.isOpen) {
      throw new CoreError("terminal-busy", `Terminal "${this.id}" is busy.`);
    }
    return this.#printed.hideWhile(line, work);
  }

  async #look(silentMs: number): Promise<void> {
    const { hasPendingInput, isRelayed } = this.#pty;
    if (isRelayed && silentMs < RELAY_MS) return;
    if (hasPendingInput) {
      // A long text is still being written: a program that reads between two parts of it is not waiting for an answer.
      this.#watcher.touch();
      return;
    }
    const reason = await explainTerminal({
      pty: this.#pty,
      printed: this.#printed,
      leader: this.shell ? "shell" : "program",
      silentMs,
      isOpen: () => this.isOpen,
      writes: () => this.#writes,
    });
    if (reason === null) return;
    if (this.shell) this.shell.silent(reason, { program: readStat(this.#pty.pid)?.name ?? "", silentMs });
    else this.#program.silent(reason);
  }

  #startClock(): TerminalClock {
    return new TerminalClock({
      limits: this.#ownership.request.limits,
      isAtWork: () => this.shell?.isBusy ?? false,
      close: (reason) => void this.close(reason),
    });
  }

  #driveShell(kind: ShellKind): ShellDriver {
    const { id, request, now, folder, events } = this.#options;
    return new ShellDriver({
      terminalId: id,
      kind,
      cwd: request.cwd,
      now,
      process: () => shellProcess(this.#pty, { isWalled: this.#ownership.request.wall !== undefined }),
      folder,
      takeReachedLimit: (exitCode) => this.#takeReachedLimit(exitCode),
      position: () => this.#printed.position,
      outOfSight: (line, work) => this.#outOfSight(line, work),
      drain: () => this.#pty.drain(),
      write: (bytes) => {
        this.#pty.write(bytes);
        this.#watcher.restart();
        this.touch();
      },
      endForeground: () => {
        if (!endForeground(this.#pty.pid)) this.#pty.write(Buffer.from(INTERRUPT));
      },
      onTyped: (command) =>
        this.#tap.tell((tap) => tap.commandTyped({ ...command, position: this.output.endPosition })),
      onChanged: () => events.onChanged(this),
      onFinished: (report) => {
        this.#tap.tell((tap) => tap.commandFinished(report));
        events.onCommandFinished(report);
      },
    });
  }

  #takeReachedLimit(exitCode: number | null): ReachedLimit | null {
    const { status } = this.#state;
    if (status === "closing" && this.#state.reason === "limit") return "processes";
    return this.#options.held?.takeReached({ exitCode }) ?? null;
  }

  #move(event: TerminalStateEvent): void {
    this.#state = nextState(this.#state, event);
  }
}
