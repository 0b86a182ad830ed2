import { writeSync } from "node:fs";
import { CoreError } from "../errors.ts";

const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 100;

/**
 * Bytes on their way into a terminal whose program may not be reading.
 *
 * The kernel takes a few kilobytes and then says EAGAIN. Asking again at once
 * burns a core for as long as the program sleeps, so each refusal doubles the
 * pause, and each success ends it. A keystroke goes straight through: the
 * descriptor does not block, so a synchronous write costs no trip through the
 * thread pool.
 */
export class WriteQueue {
  readonly #fd: number;
  readonly #maxBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(fd: number, { maxBytes }: { maxBytes: number }) {
    this.#fd = fd;
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  push(bytes: Uint8Array): void {
    if (this.#isClosed || bytes.byteLength === 0) return;
    if (this.#pendingBytes + bytes.byteLength > this.#maxBytes) {
      throw new CoreError(
        "input-full",
        `The program is not reading: ${this.#pendingBytes} bytes wait already, ${this.#maxBytes} is the most. Wait until it reads, or interrupt it.`,
      );
    }
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
    if (this.#retry === null) this.#flush();
  }

  /** Drops what the kernel has not taken yet. */
  discard(): void {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  close(): void {
    this.#isClosed = true;
    this.discard();
  }

  #flush(): void {
    this.#retry = null;
    let next = this.#pending[0];
    while (next) {
      const written = this.#writeSome(next);
      if (written === null) return;
      this.#pendingBytes -= written;
      if (written === next.byteLength) this.#pending.shift();
      else this.#pending[0] = next.subarray(written);
      next = this.#pending[0];
    }
  }

  /** How many bytes the kernel took; null when it took none. */
  #writeSome(bytes: Uint8Array): number | null {
    try {
      const written = writeSync(this.#fd, bytes);
      this.#retryMs = FIRST_RETRY_MS;
      return written;
    } catch (error) {
      if (!isErrno(error, "EAGAIN")) {
        // EIO: no process has the terminal open any more, and none will.
        this.close();
        return null;
      }
      this.#retry = setTimeout(() => this.#flush(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
      return null;
    }
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
