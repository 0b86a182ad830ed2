import { closeSync, constants, openSync, readSync } from "node:fs";
import { endFirstWhenOutOfMemory } from "../processes/oom-score.ts";
import { Drain } from "./drain.ts";
import type { Pty, PtyEvents, PtyOptions } from "./pty.ts";
import { SlabReader } from "./slab-reader.ts";
import { WriteQueue } from "./write-queue.ts";

/** The most input that may wait for a program that does not read. */
const MAX_PENDING_INPUT_BYTES = 1024 * 1024;

/** The native part of node-pty. */
export interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
  /** A small program that macOS needs to start another one inside a terminal. */
  helperPath: string;
}

/**
 * A terminal on Linux and macOS, read and written here instead of by node-pty's
 * JavaScript, which loses the last output of a program that exits (it treats a partial read
 * with a hang-up as the end) and busy-waits when a program does not
 * read.
 *
 * 1. The slave side is held open, so that the hang-up does not come while bytes
 *    are still in transit.
 * 2. When the program has exited, a sentinel is written into the slave. The
 *    kernel keeps the order, so when it arrives, everything has.
 * 3. Only then is the exit reported.
 */
export class UnixPty implements Pty {
  readonly pid: number;
  readonly leaderPid: number;
  readonly device: string;
  readonly #native: NativePty;
  readonly #fd: number;
  readonly #heldSlave: number;
  readonly #reader: SlabReader;
  readonly #input: WriteQueue;
  readonly #events: PtyEvents;
  readonly #drains: Drain[] = [];
  #isClosed = false;

  constructor(native: NativePty, { argv: [file, ...args], env, cwd, cols, rows }: PtyOptions, events: PtyEvents) {
    const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const opened = native.fork(
      file,
      args,
      pairs,
      cwd,
      cols,
      rows,
      -1,
      -1,
      true,
      native.helperPath,
      (exitCode, signal) => this.#exited(signal > 0 ? 128 + signal : exitCode),
    );
    endFirstWhenOutOfMemory(opened.pid);
    this.#native = native;
    this.#events = events;
    this.#fd = opened.fd;
    this.pid = opened.pid;
    this.leaderPid = opened.pid;
    this.device = opened.pty;
    this.#heldSlave = openSync(opened.pty, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    this.#input = new WriteQueue(opened.fd, { maxBytes: MAX_PENDING_INPUT_BYTES });
    this.#reader = new SlabReader(opened.fd, {
      onBytes: (bytes) => this.#received(bytes),
      onEnd: () => this.#finishDrains(),
    });
  }

  get hasPendingInput(): boolean {
    return !this.#input.isEmpty;
  }

  write(bytes: Uint8Array): void {
    this.#input.push(bytes);
  }

  discardInput(): void {
    this.#input.discard();
    const discarded = Buffer.alloc(4096);
    try {
      // The slave side is not this process's controlling terminal, so reading it does not block; it ends with EAGAIN.
      while (!this.#isClosed && readSync(this.#heldSlave, discarded) > 0);
    } catch {
      // Nothing is left to read. An unfinished line cannot be read by any program.
    }
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    if (!this.#isClosed) this.#native.resize(this.#fd, cols, rows);
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  drain(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drains.push(
        new Drain({
          slave: this.#heldSlave,
          isPaused: () => this.#reader.isPaused,
          done: (drain) => {
            this.#drains.splice(this.#drains.indexOf(drain), 1);
            resolve();
          },
        }),
      );
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.close();
    this.#finishDrains();
    closeSync(this.#heldSlave);
    this.#reader.close();
  }

  #exited(exitCode: number): void {
    void this.drain().then(() => {
      if (!this.#isClosed) this.#events.onExit(exitCode);
    });
  }

  #received(bytes: Buffer): void {
    let rest = bytes;
    for (const drain of [...this.#drains]) rest = drain.sift(rest);
    if (rest.byteLength > 0) this.#events.onOutput(rest);
  }

  #finishDrains(): void {
    for (const drain of [...this.#drains]) drain.finish();
  }
}
