import { ServiceThread, startServiceThread } from "../service-thread.ts";
import type { PreviewService } from "./preview-service.ts";

/** The thread's interface: the same calls as the service in it. */
export type PreviewCalls = Pick<PreviewService, "preview" | "cancelAll" | "show" | "diff" | "apply">;

/**
 * Runs previews in a worker thread: reading their layers uses synchronous file access, which would block the gateway.
 * If the thread dies, its previews fail and their layers are removed with it; the next call starts another.
 */
export class PreviewThread {
  readonly #thread = new ServiceThread(() => startServiceThread(import.meta.url, "preview-worker"));
  #isStarted = false;
  readonly calls: PreviewCalls;

  constructor() {
    const call =
      <Method extends keyof PreviewCalls>(method: Method) =>
      (...args: Parameters<PreviewCalls[Method]>) => {
        this.#isStarted = true;
        return this.#thread.call(method, args) as ReturnType<PreviewCalls[Method]>;
      };
    this.calls = {
      preview: call("preview"),
      cancelAll: call("cancelAll"),
      show: call("show"),
      diff: call("diff"),
      apply: call("apply"),
    };
  }

  async close(): Promise<void> {
    if (!this.#isStarted) return;
    await this.calls.cancelAll().catch(() => {}); // it has already died
    await this.#thread.close();
  }
}
