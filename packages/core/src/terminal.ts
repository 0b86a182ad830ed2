import type {
  CloseReason,
  CommandReport,
  TerminalId,
  TerminalInfo,
  TerminalOwner,
  TerminalState,
} from "@belay/protocol";
import { CoreError } from "./errors.ts";
import { TerminalOutput } from "./output/terminal-output.ts";
import { endProcesses } from "./processes/end-processes.ts";
import type { OpenPty, Pty, PtyOptions } from "./pty/pty.ts";
import { MarkerFilter } from "./shell/markers.ts";
import type { ShellKind } from "./shell/shells.ts";
import { ShellSession } from "./shell-session.ts";
import type { KillReport, SpawnRequest, TerminalLimits } from "./terminal-pool.ts";
import { nextState, type TerminalStateEvent } from "./terminal-state.ts";

/** Long enough for the rest of a marker that a read cut in two, too short to notice. */
const HELD_BYTES_MS = 20;

export interface TerminalOptions {
  id: TerminalId;
  request: SpawnRequest;
  openPty: OpenPty;
  ptyOptions: PtyOptions;
  /** What the environment marker holds in this terminal's processes. */
  marker: string;
  shell: { kind: ShellKind; path: string; nonce: string } | null;
  now: () => number;
  maxOutputBytes: number;
  writeScript: (text: string) => Promise<string>;
  events: TerminalEvents;
}

export interface TerminalEvents {
  onChanged(terminal: Terminal): void;
  /** Before its processes are ended. */
  onClosing(terminal: Terminal): void;
  onClosed(terminal: Terminal): void;
  onCommandFinished(report: CommandReport): void;
}

/** One terminal: a program behind a pty, what it printed, and what goes on in it. */
export class Terminal {
  readonly id: TerminalId;
  readonly output: TerminalOutput;
  readonly session: ShellSession | null;
  readonly createdAt: number;
  readonly #options: TerminalOptions;
  readonly #filter: MarkerFilter | null;
  readonly #pty: Pty;
  readonly #exit = promiseWithResolve<number | null>();
  #owner: TerminalOwner;
  #visible: boolean;
  #limits: TerminalLimits;
  #size: { cols: number; rows: number };
  #state: TerminalState = { status: "starting" };
  #heldBytesTimer: NodeJS.Timeout | null = null;
  #hasExited = false;
  #closing: Promise<KillReport> | null = null;

  constructor(options: TerminalOptions) {
    const { id, request, shell, now } = options;
    this.id = id;
    this.#options = options;
    this.#owner = request.owner;
    this.#visible = request.visible;
    this.#limits = request.limits;
    this.#size = { cols: request.cols, rows: request.rows };
    this.createdAt = now();
    this.output = new TerminalOutput({ maxBytes: options.maxOutputBytes });
    this.session = shell && this.#createSession(shell.kind);
    this.#filter =
      shell &&
      new MarkerFilter(shell.nonce, {
        onOutput: (bytes) => this.#printed(bytes),
        onMarker: (marker) => this.session?.marker(marker),
      });
    this.#pty = options.openPty(options.ptyOptions, {
      onOutput: (bytes) => this.#received(bytes),
      onExit: (exitCode) => this.#exited(exitCode),
    });
    this.#move({ type: "spawned", pid: this.#pty.pid });
  }

  get info(): TerminalInfo {
    const { request, shell } = this.#options;
    return {
      id: this.id,
      owner: this.#owner,
      visible: this.#visible,
      agentId: request.agentId,
      name: request.name,
      title: "",
      cwd: this.session?.cwd ?? request.cwd,
      command: request.program.type === "argv" ? request.program.argv : null,
      shell: shell?.path ?? null,
      createdAt: this.createdAt,
      ...this.#size,
      state: this.#state,
      activity: this.session?.activity ?? { kind: "idle" },
      position: this.output.endPosition,
    };
  }

  get isOpen(): boolean {
    return this.#state.status === "starting" || this.#state.status === "running";
  }

  write(data: string | Uint8Array): void {
    this.#assertOpen();
    this.#pty.write(typeof data === "string" ? Buffer.from(data) : data);
    this.session?.typed();
  }

  resize(size: { cols: number; rows: number }): void {
    this.#assertOpen();
    this.#pty.resize(size);
    this.#size = size;
    this.#options.events.onChanged(this);
  }

  promote(): void {
    this.#assertOpen();
    this.#owner = "user";
    this.#visible = true;
    this.#limits = { idleTimeoutMs: null, maxLifetimeMs: null };
  }

  /** Ends it and all its processes. Every caller gets the same report. */
  close(reason: CloseReason): Promise<KillReport> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: CloseReason): Promise<KillReport> {
    this.#move({ type: "close", reason });
    this.#options.events.onClosing(this);
    const survivors = await endProcesses({
      leaderPid: this.#pty.pid,
      hasLeaderExited: () => this.#hasExited,
      marker: this.#options.marker,
    });
    const exitCode = await this.#exit.promise;
    await this.#pty.drain();
    this.#pty.close();
    if (this.#heldBytesTimer) clearTimeout(this.#heldBytesTimer);
    this.#filter?.flush();
    this.#move({ type: "exited", exitCode });
    this.output.end(exitCode);
    this.#options.events.onClosed(this);
    return { existed: true, survivors };
  }

  #exited(exitCode: number | null): void {
    this.#hasExited = true;
    this.#exit.resolve(exitCode);
    this.session?.exited(exitCode);
    void this.close("exited");
  }

  #received(bytes: Buffer): void {
    if (!this.#filter) {
      this.#printed(bytes);
      return;
    }
    this.#filter.push(bytes);
    if (!this.#filter.hasHeldBytes || this.#heldBytesTimer) return;
    this.#heldBytesTimer = setTimeout(() => {
      this.#heldBytesTimer = null;
      this.#filter?.flush();
    }, HELD_BYTES_MS);
  }

  #printed(bytes: Buffer): void {
    this.output.append(bytes);
    this.session?.printed();
  }

  #createSession(kind: ShellKind): ShellSession {
    const { id, request, now, writeScript, events } = this.#options;
    return new ShellSession({
      terminalId: id,
      kind,
      cwd: request.cwd,
      now,
      position: () => this.output.endPosition,
      write: (bytes) => this.#pty.write(bytes),
      writeScript,
      onChanged: () => events.onChanged(this),
      onFinished: (report) => events.onCommandFinished(report),
    });
  }

  #move(event: TerminalStateEvent): void {
    this.#state = nextState(this.#state, event);
  }

  #assertOpen(): void {
    if (!this.isOpen) throw new CoreError("terminal-closed", `Terminal "${this.id}" is closed.`);
  }
}

function promiseWithResolve<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
