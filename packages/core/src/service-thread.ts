import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, Worker } from "node:worker_threads";

interface Request {
  id: number;
  method: string;
  args: unknown[];
}

type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; message: string };

/** Calls of a service that runs in a thread of its own. A thread that dies fails its calls; the next starts another. */
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
      // An idle thread is no reason for a process to stay.
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

/** From source, tsx compiles it (`NAME.ts` beside the caller); in a bundle it is `NAME.js` beside the bundle. */
export function startThread(callerUrl: string, name: string): Worker {
  const isSource = callerUrl.endsWith(".ts");
  const url = new URL(isSource ? `./${name}.ts` : `./${name}.js`, callerUrl);
  const options = { execArgv: [], env: {} };
  if (!isSource) return new Worker(url, options);
  const api = createRequire(callerUrl)
    .resolve("tsx/esm/api")
    .replace(/\.cjs$/, ".mjs");
  const load = `import(${JSON.stringify(pathToFileURL(api).href)}).then((tsx) => (tsx.register(), import(${JSON.stringify(url.href)})));`;
  return new Worker(load, { ...options, eval: true });
}
