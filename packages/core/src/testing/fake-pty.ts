import { CoreError } from "../errors.ts";
import type { Provider } from "../pty/providers.ts";
import type { Pty, PtyEvents, PtyOptions } from "../pty/pty.ts";

/** A terminal without a program: the test decides what it prints and when it exits. */
export class FakePty implements Pty {
  readonly pid: number;
  readonly leaderPid: number;
  readonly device = null;
  readonly hasPendingInput = false;
  readonly options: PtyOptions;
  readonly sizes: { cols: number; rows: number }[] = [];
  readonly #events: PtyEvents;
  readonly #maxInputBytes: number;
  #written = "";
  #waiting: Buffer[] = [];
  #onDrained: (() => void)[] = [];
  #exit: { exitCode: number | null } | null = null;
  #isPaused = false;
  #isClosed = false;

  constructor(options: PtyOptions, events: PtyEvents, { pid = 1_000_000_000, maxInputBytes = 1024 * 1024 } = {}) {
    this.pid = pid;
    this.leaderPid = pid;
    this.options = options;
    this.#events = events;
    this.#maxInputBytes = maxInputBytes;
  }

  /** Everything that was typed into it. */
  get written(): string {
    return this.#written;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  print(output: string | Uint8Array): void {
    this.#waiting.push(Buffer.from(output));
    this.#deliver();
  }

  exit(exitCode: number | null): void {
    this.#exit = { exitCode };
    this.#deliver();
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#written.length + bytes.byteLength > this.#maxInputBytes) {
      throw new CoreError("input-full", "The program is not reading.");
    }
    this.#written += Buffer.from(bytes).toString();
  }

  discardInput(): void {}

  resize(size: { cols: number; rows: number }): void {
    if (!this.#isClosed) this.sizes.push(size);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#deliver();
  }

  drain(): Promise<void> {
    if (this.#isClosed || this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }

  #deliver(): void {
    while (!this.#isPaused && !this.#isClosed) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#events.onOutput(next);
    }
    if (this.#isPaused || this.#isClosed) return;
    for (const resolve of this.#onDrained.splice(0)) resolve();
    const exit = this.#exit;
    this.#exit = null;
    if (exit) queueMicrotask(() => !this.#isClosed && this.#events.onExit(exit.exitCode));
  }
}

/** A provider of fake terminals, for tests that control the timing. */
export function createFakeProvider(name = "fake"): Provider & { readonly ptys: FakePty[] } {
  const ptys: FakePty[] = [];
  return {
    name,
    ptys,
    openPty: (options, events) => {
      const pty = new FakePty(options, events, { pid: 1_000_000_000 + ptys.length });
      ptys.push(pty);
      return pty;
    },
  };
}
