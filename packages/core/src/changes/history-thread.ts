import { ServiceThread, startServiceThread } from "../service-thread.ts";
import type { HistoryService } from "./history-service.ts";

const CLOSE_LIMIT_MS = 3_000;

/** The thread's interface: the calls of the service that runs in it. */
export type Histories = Pick<
  HistoryService,
  | "mark"
  | "markMissed"
  | "markAndList"
  | "list"
  | "diff"
  | "content"
  | "plan"
  | "undo"
  | "since"
  | "prune"
  | "status"
  | "closeAll"
>;

/**
 * Runs the histories in a worker thread: they use synchronous file access, which must not block the
 * gateway. If a thread dies, nothing kept is lost; the next call starts another.
 */
export class HistoryThread {
  readonly #thread = new ServiceThread(() => startServiceThread(import.meta.url, "history-worker"));
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
      markMissed: call("markMissed"),
      markAndList: call("markAndList"),
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
    // An unfinished first scan of a large workspace is not awaited: the next start finishes it.
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
    await Promise.race([this.calls.closeAll().catch(() => {}), late]);
    await this.#thread.close();
  }
}
