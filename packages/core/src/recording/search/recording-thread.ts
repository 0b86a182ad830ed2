import { ServiceThread, startServiceThread } from "../../service-thread.ts";
import type { RecordingService } from "./recording-service.ts";

/** Searches recordings and prepares them for searching and jumping, in a thread that starts with the first call. */
export class RecordingThread implements RecordingService {
  readonly #thread = new ServiceThread(() => startServiceThread(import.meta.url, "recording-worker"));

  search(...args: Parameters<RecordingService["search"]>): ReturnType<RecordingService["search"]> {
    return this.#thread.call("search", args) as ReturnType<RecordingService["search"]>;
  }

  prepare(...args: Parameters<RecordingService["prepare"]>): ReturnType<RecordingService["prepare"]> {
    return this.#thread.call("prepare", args) as ReturnType<RecordingService["prepare"]>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
