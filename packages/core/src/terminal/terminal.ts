import type {
  CloseReason,
  CommandReport,
  ReachedLimit,
  TerminalActivity,
  TerminalId,
  TerminalInfo,
  TerminalOwner,
  TerminalState,
} from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { explainSilence, type SilenceReason } from "../evidence/explain-silence.ts";
import { askKernel } from "../evidence/kernel.ts";
import { findReader } from "../evidence/keyboard-reader.ts";
import { shellProcess } from "../evidence/shell-process.ts";
import { Watcher } from "../evidence/watcher.ts";
import type { HeldLimits } from "../limits/resource-limiter.ts";
import type { Source } from "../output/pace.ts";
import { TerminalOutput } from "../output/terminal-output.ts";
import type { PreparedSpawn } from "../pool/prepare-spawn.ts";
import type { KeyboardReader, KillReport, SpawnRequest, TypeReport, TypeRequest } from "../pool/requests.ts";
import type { TerminalFolder } from "../pool/terminal-folder.ts";
import { endForeground } from "../processes/end-foreground.ts";
import { endProcesses } from "../processes/end-processes.ts";
import { readStat } from "../processes/proc.ts";
import { Holds } from "../pty/holds.ts";
import type { OpenPty, Pty } from "../pty/pty.ts";
import type { ShellKind } from "../shell/hooks.ts";
import { INTERRUPT } from "../shell/typing/typing.ts";
import { type Printed, PrintedOutput, RELAY_MS } from "./printed-output.ts";
import { ShellDriver } from "./shell-driver.ts";
import { type OpenTap, TapFeed, type TerminalTap } from "./tap.ts";
import { TerminalClock } from "./terminal-clock.ts";
import { nextState, type TerminalStateEvent } from "./terminal-state.ts";
import { typeInput } from "./type-input.ts";

/** Once its processes are gone the exit comes at once; a process that could not be ended never reports one. */
const EXIT_TIMEOUT_MS = 2000;
const LINE_FEED = 0x0a;

export interface TerminalOptions extends PreparedSpawn {
  id: TerminalId;
  request: SpawnRequest;
  openPty: OpenPty;
  /** Keeps its programs within their limits; null if there are none. */
  held: HeldLimits | null;
  openTap: OpenTap | null;
  /** A shell that is started in advance and has no owner until it is adopted. */
  isWarm: boolean;
  now: () => number;
  maxOutputBytes: number;
  folder: TerminalFolder;
  events: TerminalEvents;
}

export interface TerminalEvents {
  onChanged(terminal: Terminal): void;
  /** Before its processes are ended. */
  onClosing(terminal: Terminal): void;
  onClosed(terminal: Terminal): void;
  onCommandFinished(report: CommandReport): void;
}

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
  #createdAt: number;
  readonly #printed: PrintedOutput;
  readonly #watcher: Watcher;
  #clock: TerminalClock;
  readonly #pty: Pty;
  readonly #recordingHold: Source;
  #tap: TerminalTap | null = null;
  #tapFeed: TapFeed | null = null;
  readonly #exit: Promise<number | null>;
  #request: SpawnRequest;
  #owner: TerminalOwner;
  #isBorrowed = false;
  #visible: boolean;
  #size: { cols: number; rows: number };
  #state: TerminalState = { status: "starting" };
  #hasExited = false;
  /** How many times input was written. */
  #writes = 0;
  /** For a terminal that was started with a program instead of a shell. */
  #programWants: Exclude<SilenceReason["kind"], "shell-reads"> = "nothing";
  #closing: Promise<KillReport> | null = null;
  #typingSettled: Promise<void> = Promise.resolve();

  constructor(options: TerminalOptions) {
    const { id, request, shell, now } = options;
    this.id = id;
    this.#options = options;
    this.#request = request;
    this.#owner = request.owner;
    this.#visible = request.visible;
    this.#size = { cols: request.cols, rows: request.rows };
    this.#createdAt = now();
    const holds = new Holds({ pause: () => this.#pty.pause(), resume: () => this.#pty.resume() });
    this.#recordingHold = holds.reason();
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
    if (!options.isWarm) this.#openTap();
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
    this.#request = request;
    this.#owner = request.owner;
    this.#visible = request.visible;
    this.#createdAt = this.#options.now();
    this.#clock.stop();
    this.#clock = this.#startClock();
    this.#openTap();
    this.shell?.repaint();
  }

  get info(): TerminalInfo {
    const request = this.#request;
    return {
      id: this.id,
      owner: this.#owner,
      ...(this.#isBorrowed && { isBorrowed: true as const }),
      visible: this.#visible,
      agentId: request.agentId,
      name: request.name,
      title: this.#printed.title,
      ...this.#folder,
      command: request.program.type === "argv" ? request.program.argv : null,
      shell: this.#options.shell?.path ?? null,
      ...(request.wall && { wall: request.wall.shown }),
      ...(request.account && { user: request.account.name }),
      ...(request.resources && { limits: request.resources }),
      createdAt: this.#createdAt,
      ...this.#size,
      state: this.#state.status === "running" ? { status: "running", pid: this.#pty.pid } : this.#state,
      activity: this.isOpen ? (this.shell?.activity ?? this.#programActivity) : { kind: "idle" },
      position: this.output.endPosition,
    };
  }

  get #folder(): { cwd: string; folderId?: string } {
    const folder = this.isOpen ? (this.shell?.folder ?? null) : null;
    return folder ? { cwd: folder.path, folderId: folder.id } : { cwd: this.shell?.lastCwd ?? this.#request.cwd };
  }

  /** The ancestor of all processes in it. */
  get leaderPid(): number {
    return this.#pty.leaderPid;
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
  async type(request: TypeRequest): Promise<TypeReport> {
    this.assertOpen();
    const { pid, device } = this.#pty;
    if (device === null) return { typedCharacters: 0, stopped: "reader-busy" };
    // Earlier input must have arrived, or it would be mistaken for this.
    await this.#typingSettled;
    this.assertOpen();
    const { report, settled } = await typeInput(
      {
        leaderPid: pid,
        device,
        write: (bytes) => this.#write(bytes, { isGuarded: request.readsLines && bytes.at(-1) === LINE_FEED }),
        hasPendingInput: () => this.#pty.hasPendingInput,
        discardUnread: () => this.#pty.discardInput(),
        isOpen: () => this.isOpen,
        promptsSeen: () => this.shell?.promptsSeen ?? 0,
      },
      request,
    );
    this.#typingSettled = settled;
    return report;
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
    this.#tellTap((tap) => tap.resized(size));
    this.#options.events.onChanged(this);
  }

  giveToPerson({ forAWhile }: { forAWhile: boolean }): void {
    this.assertOpen();
    const wasHeld = this.#owner === "user";
    this.#owner = "user";
    this.#isBorrowed = forAWhile;
    this.#visible = true;
    this.#clock.stop();
    if (!wasHeld) this.#tellTap((tap) => tap.ownerChanged("user"));
  }

  /** Hands it back to the agent. */
  handBack(): void {
    this.assertOpen();
    this.#owner = "agent";
    this.#isBorrowed = false;
    this.#visible = this.#request.visible;
    this.#clock = this.#startClock();
    this.#tellTap((tap) => tap.ownerChanged("agent"));
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
    this.#watcher.expectAnew();
    this.touch();
  }

  async #close(reason: CloseReason): Promise<KillReport> {
    this.#move({ type: "close", reason });
    this.#clock.stop();
    this.#watcher.stop();
    this.#options.events.onClosing(this);
    const { held } = this.#options;
    held?.forbidForks();
    const survivors = await endProcesses({
      leaderPid: this.#pty.leaderPid,
      hasLeaderExited: () => this.#hasExited,
      marker: this.#options.marker,
      ...(held && { groupPids: () => held.pids() }),
    });
    const exitCode = await Promise.race([this.#exit, nullAfter(EXIT_TIMEOUT_MS)]);
    await this.#pty.drain();
    this.#pty.close();
    this.#printed.end();
    this.shell?.exited(exitCode);
    // A tap reports its own failures; the terminal closes either way.
    this.#tapFeed?.flush();
    await this.#tap?.closed(exitCode).catch(() => {});
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
    if (isShown) this.#tapFeed?.push(bytes);
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
    const { pid, device, hasPendingInput, isRelayed } = this.#pty;
    if (isRelayed && silentMs < RELAY_MS) return;
    if (hasPendingInput) {
      // A long text is still being written: a program that reads between two parts of it is not waiting for an answer.
      this.#watcher.touch();
      return;
    }
    const position = this.#printed.position;
    const writes = this.#writes;
    const view = device === null ? null : await askKernel(pid, device);
    // It continued while we asked, or got its input: the observation is outdated.
    if (!this.isOpen || this.#printed.position !== position || this.#writes !== writes) return;
    const reason = explainSilence({
      view,
      isFullscreen: this.#printed.isFullscreen,
      lastLine: this.#printed.lastLine,
      silentMs,
      leader: this.shell ? "shell" : "program",
    });
    if (this.shell) {
      this.shell.silent(reason, { program: readStat(pid)?.name ?? "", silentMs });
    } else if (reason.kind !== "shell-reads") {
      const wants = reason.isBrief ? "nothing" : reason.kind;
      if (wants === this.#programWants) return;
      this.#programWants = wants;
      this.#options.events.onChanged(this);
    }
  }

  get #programActivity(): TerminalActivity {
    const { program } = this.#request;
    const line = program.type === "argv" ? program.argv.join(" ") : "";
    return { kind: "busy", commandId: null, line, since: this.#createdAt, wants: this.#programWants };
  }

  #startClock(): TerminalClock {
    return new TerminalClock({
      limits: this.#request.limits,
      isAtWork: () => this.shell?.isBusy ?? false,
      close: (reason) => void this.close(reason),
    });
  }

  #openTap(): void {
    this.#tap = this.#options.openTap?.(this.info) ?? null;
    this.#tapFeed = this.#tap && new TapFeed(this.#tap, this.#recordingHold);
  }

  /** After the output that came before it. */
  #tellTap(tell: (tap: TerminalTap) => void): void {
    this.#tapFeed?.flush();
    if (this.#tap) tell(this.#tap);
  }

  #driveShell(kind: ShellKind): ShellDriver {
    const { id, request, now, folder, events } = this.#options;
    return new ShellDriver({
      terminalId: id,
      kind,
      cwd: request.cwd,
      now,
      process: () => shellProcess(this.#pty, { isWalled: this.#request.wall !== undefined }),
      folder,
      takeReachedLimit: (exitCode) => this.#takeReachedLimit(exitCode),
      position: () => this.#printed.position,
      outOfSight: (line, work) => this.#outOfSight(line, work),
      drain: () => this.#pty.drain(),
      write: (bytes) => {
        this.#pty.write(bytes);
        this.#watcher.expectAnew();
        this.touch();
      },
      endForeground: () => {
        if (!endForeground(this.#pty.pid)) this.#pty.write(Buffer.from(INTERRUPT));
      },
      onTyped: (command) => this.#tellTap((tap) => tap.commandTyped({ ...command, position: this.output.endPosition })),
      onChanged: () => events.onChanged(this),
      onFinished: (report) => {
        this.#tellTap((tap) => tap.commandFinished(report));
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

function nullAfter(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
