import type { Worker } from "node:worker_threads";
import { READY, type WorkerReply, type WorkerRequest } from "./worker-messages.ts";

/** Loading may take long on a busy machine, and does not mean that the emulator hangs. */
const START_LIMIT_MS = 60_000;

/** Why a request failed. */
export type WorkerFailure = "timed-out" | "failed" | "closed";

export class WorkerFailedError extends Error {
  override readonly name = "WorkerFailedError";
  readonly failure: WorkerFailure;

  constructor(failure: WorkerFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

interface Job {
  request: WorkerRequest;
  transfer: ArrayBuffer[];
  resolve: (value: unknown) => void;
  reject: (error: WorkerFailedError) => void;
}

/**
 * Sends one request at a time to a thread that may hang.
 *
 * The thread starts with the first request. If it does not answer in time,
 * it is terminated, and the next request gets a new one.
 */
export class WorkerLine {
  readonly #start: () => Worker;
  readonly #watchdogMs: number;
  readonly #onLost: () => void;
  readonly #waiting: Job[] = [];
  #worker: Worker | null = null;
  #isReady = false;
  #current: Job | null = null;
  #watchdog: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** `onLost` is called when a thread is gone with its state. */
  constructor({ start, watchdogMs, onLost }: { start: () => Worker; watchdogMs: number; onLost?: () => void }) {
    this.#start = start;
    this.#watchdogMs = watchdogMs;
    this.#onLost = onLost ?? (() => {});
  }

  /** `isUrgent`: before everything that waits. Only for requests that do not depend on earlier ones. */
  send<Value>(
    request: WorkerRequest,
    { transfer = [], isUrgent = false }: { transfer?: ArrayBuffer[]; isUrgent?: boolean } = {},
  ): Promise<Value> {
    if (this.#isClosed) return Promise.reject(new WorkerFailedError("closed", "The renderer is closed."));
    return new Promise<Value>((resolve, reject) => {
      const job = { request, transfer, resolve: (value: unknown) => resolve(value as Value), reject };
      if (isUrgent) this.#waiting.unshift(job);
      else this.#waiting.push(job);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new WorkerFailedError("closed", "The renderer is closed.");
    for (const job of this.#waiting.splice(0)) job.reject(closed);
    await this.#abandon(closed);
  }

  #next(): void {
    if (this.#current || this.#isClosed) return;
    const job = this.#waiting.shift();
    if (!job) {
      // An idle thread must not keep the process alive.
      this.#worker?.unref();
      return;
    }
    this.#current = job;
    this.#worker ??= this.#open();
    this.#worker.ref();
    this.#armWatchdog(this.#isReady ? this.#watchdogMs : START_LIMIT_MS);
    this.#worker.postMessage(job.request, job.transfer);
  }

  #armWatchdog(limitMs: number): void {
    if (this.#watchdog) clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      const message = `The emulator did not finish within ${limitMs / 1_000} s.`;
      void this.#abandon(new WorkerFailedError("timed-out", message));
    }, limitMs);
  }

  #open(): Worker {
    const worker = this.#start();
    worker.on("message", (reply: typeof READY | WorkerReply<unknown>) => {
      if (worker !== this.#worker) return;
      if (reply !== READY) return this.#settle(reply);
      this.#isReady = true;
      if (this.#current) this.#armWatchdog(this.#watchdogMs);
    });
    worker.on("error", (error) => {
      if (worker === this.#worker) void this.#abandon(new WorkerFailedError("failed", error.message));
    });
    worker.on("exit", () => {
      if (worker === this.#worker) void this.#abandon(new WorkerFailedError("failed", "The emulator's thread ended."));
    });
    return worker;
  }

  #settle(reply: WorkerReply<unknown>): void {
    const job = this.#takeCurrent();
    if (reply.ok) job?.resolve(reply.value);
    else job?.reject(new WorkerFailedError("failed", reply.message));
    this.#next();
  }

  async #abandon(reason: WorkerFailedError): Promise<void> {
    const worker = this.#worker;
    const job = this.#takeCurrent();
    this.#worker = null;
    this.#isReady = false;
    if (worker) this.#onLost();
    job?.reject(reason);
    this.#next();
    await worker?.terminate();
  }

  #takeCurrent(): Job | null {
    if (this.#watchdog) clearTimeout(this.#watchdog);
    const job = this.#current;
    this.#current = null;
    return job;
  }
}
