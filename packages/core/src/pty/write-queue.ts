import { writeSync } from "node:fs";
import { CoreError } from "../errors.ts";

const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 100;

/**
 * Input for a terminal whose program may not be reading.
 *
 * The kernel accepts a few kilobytes and then returns EAGAIN. Retrying at once
 * would use a whole core while the program sleeps, so each refusal doubles the
 * delay, and each success resets it. A keystroke is written directly: the
 * descriptor is non-blocking, so a synchronous write avoids the
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

  /** Drops what the kernel has not accepted yet. */
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

  /** How many bytes the kernel accepted; null if none. */
  #writeSome(bytes: Uint8Array): number | null {
    try {
      const written = writeSync(this.#fd, bytes);
      this.#retryMs = FIRST_RETRY_MS;
      return written;
    } catch (error) {
      if (!isErrno(error, "EAGAIN")) {
        // EIO: no process has the terminal open any more.
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
