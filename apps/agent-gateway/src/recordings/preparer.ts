import { listRecordings, type RecordingSearch, RecordingThread, type SearchProgress } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { EventBus } from "../events.ts";

/** Not urgent: until then a recording is searched by reading it. */
const LOOK_AFTER_MS = 20_000;
/** A recording may be finished some time after its terminal has ended. */
const LOOKS_PER_TERMINAL = 3;

interface Deps {
  events: EventBus;
  recordingsDir: string;
  log: Logger;
  lookAfterMs?: number | undefined;
}

/**
 * Makes finished recordings quick to search and to jump in: once when the gateway starts, and whenever a terminal has
 * ended or a recording was redacted. One after the other, in a thread of its own.
 */
export class RecordingPreparer {
  readonly #deps: Deps;
  readonly #thread = new RecordingThread();
  readonly #unsubscribe: () => void;
  readonly #prepared = new Set<TerminalId>();
  #timer: NodeJS.Timeout | null = null;
  #looksLeft = LOOKS_PER_TERMINAL;
  #isRunning = false;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#unsubscribe = deps.events.subscribe((event) => {
      if (event.type !== "terminal" || event.event !== "closed") return;
      this.#looksLeft = LOOKS_PER_TERMINAL;
      this.#lookLater();
    });
    this.#lookLater();
  }

  search(search: RecordingSearch): Promise<SearchProgress> {
    return this.#thread.search(this.#deps.recordingsDir, search);
  }

  /** What was derived from it is outdated. */
  changed(id: TerminalId): void {
    this.#prepared.delete(id);
    this.#lookLater();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#thread.close();
  }

  #lookLater(): void {
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#look();
    }, this.#deps.lookAfterMs ?? LOOK_AFTER_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#isRunning) return this.#lookLater();
    this.#isRunning = true;
    try {
      const ids = await listRecordings(this.#deps.recordingsDir);
      let unfinished = 0;
      for (const id of ids) {
        if (this.#isClosed) return;
        if (this.#prepared.has(id)) continue;
        if (await this.#thread.prepare(this.#deps.recordingsDir, id)) this.#prepared.add(id);
        else unfinished += 1;
      }
      for (const id of this.#prepared) if (!ids.includes(id)) this.#prepared.delete(id);
      this.#looksLeft -= 1;
      if (unfinished > 0 && this.#looksLeft > 0) this.#lookLater();
    } catch (error) {
      // Searching and jumping also work without it, only slower: the next terminal that ends tries again.
      if (!this.#isClosed) this.#deps.log.warn({ err: error }, "recordings could not be prepared for searching");
    } finally {
      this.#isRunning = false;
    }
  }
}
