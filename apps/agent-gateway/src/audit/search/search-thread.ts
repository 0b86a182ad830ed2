import type { Worker } from "node:worker_threads";
import { startThread } from "@belay/core";
import { SEARCH_WORKER } from "../../paths.ts";
import type { AuditFilter } from "./filter.ts";
import type { AuditPage, PageRequest } from "./search.ts";

export interface SearchRequest {
  id: number;
  filter: AuditFilter;
  page: PageRequest;
}

export type SearchReply = { id: number; found: AuditPage } | { id: number; problem: string };

interface Asked {
  resolve: (page: AuditPage) => void;
  reject: (error: Error) => void;
}

/**
 * Searches the record without blocking the gateway: a query that matches little may read a million rows. The thread is
 * started by the first search, and again if it has failed.
 */
export class SearchThread {
  readonly #file: string;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(file: string) {
    this.#file = file;
  }

  search(filter: AuditFilter, page: PageRequest): Promise<AuditPage> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#asked.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ id, filter, page } satisfies SearchRequest);
    });
  }

  /** Before the database is closed. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    // While it is idle it keeps no process alive: without this, the command line would end before it prints.
    worker.ref();
    worker.postMessage("close");
    await ended;
  }

  #start(): Worker {
    const worker = startWorker(this.#file);
    worker.on("message", (reply: SearchReply) => {
      const asked = this.#asked.get(reply.id);
      this.#asked.delete(reply.id);
      // An idle thread is no reason for a process to stay.
      if (this.#asked.size === 0) worker.unref();
      if ("found" in reply) asked?.resolve(reply.found);
      else asked?.reject(new Error(`The record could not be searched: ${reply.problem}`));
    });
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("The thread that searches the record ended.")));
    return worker;
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}

function startWorker(file: string): Worker {
  return startThread(SEARCH_WORKER, { env: {}, workerData: { file } });
}
