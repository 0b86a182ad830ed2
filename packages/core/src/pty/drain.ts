import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";

/** A terminal that was stopped (Ctrl-S) never accepts the sentinel. */
const TIMEOUT_MS = 5_000;
const RETRY_MS = 5;

interface DrainOptions {
  slave: number;
  /** While reading is paused nothing can arrive, so that time does not count. */
  isPaused: () => boolean;
  done: (drain: Drain) => void;
}

/** Sends one sentinel through the terminal and removes it from the output again. */
export class Drain {
  readonly #slave: number;
  readonly #isPaused: () => boolean;
  readonly #sentinel = Buffer.from(`\x1b]${randomBytes(12).toString("hex")}\x07`);
  readonly #done: (drain: Drain) => void;
  #timeout: NodeJS.Timeout;
  #unwritten: Buffer;
  #retry: NodeJS.Timeout | null = null;
  /** How much of the sentinel the output ends with so far. */
  #matched = 0;

  constructor({ slave, isPaused, done }: DrainOptions) {
    this.#slave = slave;
    this.#isPaused = isPaused;
    this.#done = done;
    this.#unwritten = this.#sentinel;
    this.#timeout = this.#startTimeout();
    this.#write();
  }

  /** The bytes without the sentinel. A partial sentinel is held back until the next bytes decide. */
  sift(bytes: Buffer): Buffer {
    const held = this.#sentinel.subarray(0, this.#matched);
    const all = held.byteLength > 0 ? Buffer.concat([held, bytes]) : bytes;
    const at = all.indexOf(this.#sentinel);
    if (at >= 0) {
      this.#matched = 0;
      const rest = Buffer.concat([all.subarray(0, at), all.subarray(at + this.#sentinel.byteLength)]);
      // After the caller has passed on the output before it.
      queueMicrotask(() => this.finish());
      return rest;
    }
    this.#timeout.refresh();
    this.#matched = lengthOfBeginningAtEnd(all, this.#sentinel);
    return all.subarray(0, all.byteLength - this.#matched);
  }

  finish(): void {
    clearTimeout(this.#timeout);
    if (this.#retry) clearTimeout(this.#retry);
    this.#done(this);
  }

  #startTimeout(): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#isPaused()) this.#timeout = this.#startTimeout();
      else this.finish();
    }, TIMEOUT_MS);
  }

  #write(): void {
    try {
      this.#unwritten = this.#unwritten.subarray(writeSync(this.#slave, this.#unwritten));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) {
        setImmediate(() => this.finish());
        return;
      }
    }
    // The terminal is full; there is room again once more has been read.
    if (this.#unwritten.byteLength > 0) this.#retry = setTimeout(() => this.#write(), RETRY_MS);
  }
}

function lengthOfBeginningAtEnd(bytes: Buffer, word: Buffer): number {
  for (let length = Math.min(word.byteLength - 1, bytes.byteLength); length > 0; length--) {
    if (bytes.subarray(bytes.byteLength - length).equals(word.subarray(0, length))) return length;
  }
  return 0;
}
