import { parentPort, type Worker } from "node:worker_threads";
import { programBeside, startThread } from "./own-programs.ts";

interface Request {
  id: number;
  method: string;
  args: unknown[];
}

type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; message: string };

/** Calls a service in its own thread. If the thread dies, its pending calls fail; the next call starts another. */
export class ServiceThread {
  readonly #start: () => Worker;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  call(method: string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.#worker ??= this.#open();
      this.#worker.ref();
      this.#worker.postMessage({ id: this.#lastId, method, args } satisfies Request);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#fail(new Error("The thread is closed."));
    await worker?.terminate();
  }

  #open(): Worker {
    const worker = this.#start();
    worker.on("message", (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      // An idle thread must not keep the process alive.
      if (this.#waiting.size === 0) worker.unref();
      if (reply.ok) waiting?.resolve(reply.value);
      else waiting?.reject(new Error(reply.message));
    });
    const lose = (error: Error) => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      this.#fail(error);
    };
    worker.on("error", lose);
    worker.on("exit", () => lose(new Error("The thread ended.")));
    return worker;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** The thread's side: answers each call with the method of that name. */
export function serveCalls(service: object): void {
  parentPort?.on("message", ({ id, method, args }: Request) => {
    const call = (service as Record<string, (...args: unknown[]) => Promise<unknown>>)[method];
    const answer = call ? call.apply(service, args) : Promise.reject(new Error(`There is no "${method}".`));
    answer.then(
      (value) => parentPort?.postMessage({ id, ok: true, value } satisfies Reply),
      (error: Error) => parentPort?.postMessage({ id, ok: false, message: error.message } satisfies Reply),
    );
  });
}

/** Starts the thread `name` beside the calling file. */
export function startServiceThread(callerUrl: string, name: string): Worker {
  return startThread(programBeside(callerUrl, name), { env: {} });
}
