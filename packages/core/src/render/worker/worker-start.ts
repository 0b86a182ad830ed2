import type { Worker } from "node:worker_threads";
import { programBeside, startThread } from "../../own-programs.ts";

export interface RenderWorkerData {
  /** Most of its work is not urgent: it runs at lower priority than threads that callers wait for. */
  isBackground: boolean;
}

/** A runaway screen ends its worker, not the process that holds the terminals. */
const MAX_HEAP_MB = 512;

/** Starts the emulator's thread. */
export function startRenderWorker(workerUrl?: URL, { isBackground = false } = {}): Worker {
  return startThread(workerUrl ?? programBeside(import.meta.url, "render-worker"), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // The emulator needs no environment variables, and output should not be able to reach any.
    env: {},
    workerData: { isBackground } satisfies RenderWorkerData,
  });
}
