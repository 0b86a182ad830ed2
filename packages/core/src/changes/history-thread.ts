import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { HistoryService } from "./history-service.ts";

export interface HistoryRequest {
  id: number;
  method: keyof HistoryService;
  args: unknown[];
}

export type HistoryReply = { id: number; ok: true; value: unknown } | { id: number; ok: false; message: string };

const CLOSE_LIMIT_MS = 3_000;

/** What the thread offers: the same calls as the service in it. */
export type Histories = Pick<
  HistoryService,
  "mark" | "list" | "diff" | "content" | "plan" | "undo" | "since" | "prune" | "status" | "closeAll"
>;

/**
 * Runs the histories in a thread of their own: they read folders and files in one go, which may not hold up the
 * gateway. A thread that dies loses nothing that was kept; the next call starts another.
 */
export class HistoryThread {
  readonly #workerUrl: URL | undefined;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #worker: Worker | null = null;
  #lastId = 0;
  readonly calls: Histories;

  constructor(workerUrl?: URL) {
    this.#workerUrl = workerUrl;
    const call =
      <Method extends keyof Histories>(method: Method) =>
      (...args: Parameters<Histories[Method]>) =>
        this.#call(method, args) as ReturnType<Histories[Method]>;
    this.calls = {
      mark: call("mark"),
      list: call("list"),
      diff: call("diff"),
      content: call("content"),
      plan: call("plan"),
      undo: call("undo"),
      since: call("since"),
      prune: call("prune"),
      status: call("status"),
      closeAll: call("closeAll"),
    };
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    // What was being written then is finished at the next start: a first look at a large workspace takes too long.
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
    await Promise.race([this.calls.closeAll().catch(() => {}), late]);
    this.#worker = null;
    this.#fail(new Error("The history is closed."));
    await worker.terminate();
  }

  #call(method: keyof HistoryService, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve: resolve as (value: never) => void, reject });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ id: this.#lastId, method, args } satisfies HistoryRequest);
    });
  }

  #start(): Worker {
    const worker = startWorker(this.#workerUrl);
    worker.on("message", (reply: HistoryReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      // An idle thread is no reason for a process to stay.
      if (this.#waiting.size === 0) worker.unref();
      if (reply.ok) waiting?.resolve(reply.value as never);
      else waiting?.reject(new Error(reply.message));
    });
    const lose = (error: Error) => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      this.#fail(error);
    };
    worker.on("error", lose);
    worker.on("exit", () => lose(new Error("The thread of the history ended.")));
    return worker;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** From source, tsx compiles it; in a bundle it is `history-worker.js` beside the bundle. */
function startWorker(workerUrl?: URL): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const url = workerUrl ?? new URL(isSource ? "./history-worker.ts" : "./history-worker.js", import.meta.url);
  const options = { execArgv: [], env: {} };
  if (!url.pathname.endsWith(".ts")) return new Worker(url, options);
  const api = createRequire(import.meta.url)
    .resolve("tsx/esm/api")
    .replace(/\.cjs$/, ".mjs");
  const load = `import(${JSON.stringify(pathToFileURL(api).href)}).then((tsx) => (tsx.register(), import(${JSON.stringify(url.href)})));`;
  return new Worker(load, { ...options, eval: true });
}
