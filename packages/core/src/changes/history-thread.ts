import { ServiceThread, startThread } from "../service-thread.ts";
import type { HistoryService } from "./history-service.ts";

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
  readonly #thread = new ServiceThread(() => startThread(import.meta.url, "history-worker"));
  #isStarted = false;
  readonly calls: Histories;

  constructor() {
    const call =
      <Method extends keyof Histories>(method: Method) =>
      (...args: Parameters<Histories[Method]>) => {
        this.#isStarted = true;
        return this.#thread.call(method, args) as ReturnType<Histories[Method]>;
      };
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
    if (!this.#isStarted) return;
    // What was being written then is finished at the next start: a first look at a large workspace takes too long.
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
    await Promise.race([this.calls.closeAll().catch(() => {}), late]);
    await this.#thread.close();
  }
}
