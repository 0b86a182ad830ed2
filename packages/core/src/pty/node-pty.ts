import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { IPty, spawn } from "node-pty";
import type { OpenPty, Pty, PtyEvents, PtyOptions } from "./pty.ts";
import { type NativePty, UnixPty } from "./unix-pty.ts";

/** The only importer of node-pty. It is loaded on first use: types and fakes need no compiled code. */
export const openNodePty: OpenPty = (options, events) =>
  process.platform === "win32" ? new WindowsPty(options, events) : new UnixPty(loadNative(), options, events);

const require = createRequire(import.meta.url);
let native: NativePty | null = null;

function loadNative(): NativePty {
  if (native) return native;
  const utilsPath = require.resolve("node-pty/lib/utils.js");
  const { dir, module } = require(utilsPath).loadNativeModule("pty");
  native = { fork: module.fork, resize: module.resize, helperPath: resolve(dirname(utilsPath), dir, "spawn-helper") };
  return native;
}

function loadNodePty(): { spawn: typeof spawn } {
  return require("node-pty");
}

/**
 * A terminal on Windows, through node-pty's own JavaScript (ConPTY).
 *
 * Never run: no Windows machine was available. It keeps the two guarantees of
 * `Pty` only as well as node-pty does there.
 */
class WindowsPty implements Pty {
  readonly device = null;
  readonly hasPendingInput = false;
  readonly #pty: IPty;
  #isClosed = false;

  constructor({ argv: [file, ...args], ...options }: PtyOptions, events: PtyEvents) {
    this.#pty = loadNodePty().spawn(file, args, { ...options, encoding: null });
    // With `encoding: null` these are Buffers, despite the typings.
    this.#pty.onData((data: string | Buffer) => events.onOutput(Buffer.from(data)));
    this.#pty.onExit(({ exitCode }) => {
      if (!this.#isClosed) events.onExit(exitCode);
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get leaderPid(): number {
    return this.#pty.pid;
  }

  write(bytes: Uint8Array): void {
    this.#pty.write(Buffer.from(bytes));
  }

  discardInput(): void {}

  resize({ cols, rows }: { cols: number; rows: number }): void {
    if (!this.#isClosed) this.#pty.resize(cols, rows);
  }

  pause(): void {
    this.#pty.pause();
  }

  resume(): void {
    this.#pty.resume();
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.#pty.kill();
  }
}
