import type { ScreenSize } from "../emulator.ts";
import { joinBytes } from "../join-bytes.ts";
import type { ScreenText } from "../screen-text.ts";
import { WorkerFailedError, WorkerLine } from "../worker/worker-line.ts";
import { startRenderWorker } from "../worker/worker-start.ts";
import { cutMiddle } from "./cut-middle.ts";
import { stripControls } from "./plain-text.ts";
import { formatBytes } from "./summary.ts";

export const RENDER_DEFAULTS = {
  /** From the moment the thread gets the bytes; a megabyte takes about 100 ms on a busy machine. */
  watchdogMs: 5_000,
  /** Of a longer output, the first and the last half are rendered. */
  maxInputBytes: 8 * 1_024 * 1_024,
  /** The most that may be queued for the thread, for all callers together. */
  maxQueuedBytes: 64 * 1_024 * 1_024,
  cols: 80,
  rows: 24,
};

export interface RenderedText {
  /** Lines as a person would see them, without a final newline. */
  text: string;
  /** The screen of a full-screen program that is active at the end; null if there is none. */
  alternateScreen: string | null;
  /** Bytes in the middle of a very long output that were not rendered. */
  skippedBytes: number;
  /** Why `text` was only stripped of control sequences, which it also says itself; null if it was rendered. */
  problem: "timed-out" | "failed" | "busy" | "closed" | null;
}

export interface RenderOptions extends Partial<ScreenSize> {
  maxInputBytes?: number;
  /** The bytes come from a pipe rather than a terminal: newlines come without carriage returns. */
  isFromPipe?: boolean;
}

export interface TextRendererOptions {
  /** Where the thread's file is; see `startRenderWorker` for what happens without it. */
  workerUrl?: URL;
  watchdogMs?: number;
  maxQueuedBytes?: number;
}

/** Turns raw terminal output into text, in a worker thread. Never throws: at worst the text is less well rendered. */
export class TextRenderer {
  readonly #line: WorkerLine;
  readonly #maxQueuedBytes: number;
  #queuedBytes = 0;

  constructor({ workerUrl, watchdogMs, maxQueuedBytes }: TextRendererOptions = {}) {
    this.#line = new WorkerLine({
      start: () => startRenderWorker(workerUrl),
      watchdogMs: watchdogMs ?? RENDER_DEFAULTS.watchdogMs,
    });
    this.#maxQueuedBytes = maxQueuedBytes ?? RENDER_DEFAULTS.maxQueuedBytes;
  }

  async renderText(bytes: Uint8Array, options: RenderOptions = {}): Promise<RenderedText> {
    const { cols, rows, maxInputBytes, isFromPipe = false } = { ...RENDER_DEFAULTS, ...options };
    if (this.#queuedBytes + bytes.byteLength > this.#maxQueuedBytes) {
      return plainly(bytes, { problem: "busy", reason: "Too much is waiting to be rendered.", maxInputBytes });
    }
    this.#queuedBytes += bytes.byteLength;
    try {
      const { pieces, skippedBytes } = cutMiddle(bytes, maxInputBytes);
      // A copy, because the caller's bytes may be a view of a ring buffer.
      const copy = joinBytes(pieces);
      const rendered = await this.#line.send<ScreenText>(
        { type: "render", bytes: copy, size: { cols, rows }, isFromPipe },
        { transfer: [copy.buffer] },
      );
      return { ...rendered, skippedBytes, problem: null };
    } catch (error) {
      if (!(error instanceof WorkerFailedError)) throw error;
      return plainly(bytes, { problem: error.failure, reason: error.message, maxInputBytes });
    } finally {
      this.#queuedBytes -= bytes.byteLength;
    }
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}

function plainly(
  bytes: Uint8Array,
  { problem, reason, maxInputBytes }: { problem: RenderedText["problem"]; reason: string; maxInputBytes: number },
): RenderedText {
  const skippedBytes = Math.max(0, bytes.byteLength - maxInputBytes);
  const kept = stripControls(bytes.subarray(skippedBytes));
  const cut = skippedBytes > 0 ? ` The first ${formatBytes(skippedBytes)} are left out.` : "";
  const notice = `[Not rendered: ${reason} Control sequences are removed, nothing else.${cut}]`;
  return { text: `${notice}\n${kept}`, alternateScreen: null, skippedBytes, problem };
}
