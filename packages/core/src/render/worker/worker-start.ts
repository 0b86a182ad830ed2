import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

export interface RenderWorkerData {
  /** Most of its work is not urgent: it runs at lower priority than threads that callers wait for. */
  isBackground: boolean;
}

/** A runaway screen ends its worker, not the process that holds the terminals. */
const MAX_HEAP_MB = 512;

/**
 * Starts the emulator's thread. Where its file is depends on how Belay runs:
 *
 * 1. The caller says so with `workerUrl`.
 * 2. From TypeScript source it is `render-worker.ts` beside this file, and tsx
 *    compiles it, since Node 22.12 cannot read types.
 * 3. In a bundle it is `render-worker.js` beside the bundle. So the bundler has to
 *    add `packages/core/src/render/worker/render-worker.ts` as a separate entry
 *    with the name `render-worker`, in the same folder.
 */
export function startRenderWorker(workerUrl?: URL, { isBackground = false } = {}): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const url = workerUrl ?? new URL(isSource ? "./render-worker.ts" : "./render-worker.js", import.meta.url);
  const options: WorkerOptions = {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // The emulator needs no environment variables, and output should not be able to reach any.
    env: {},
    workerData: { isBackground } satisfies RenderWorkerData,
  };
  return url.pathname.endsWith(".ts")
    ? new Worker(loadThroughTsx(url), { ...options, eval: true })
    : new Worker(url, options);
}

/** Node 20 ignores `--import` for threads, so the thread registers tsx itself (its CommonJS entry does not work there). */
function loadThroughTsx(url: URL): string {
  const api = pathToFileURL(
    createRequire(import.meta.url)
      .resolve("tsx/esm/api")
      .replace(/\.cjs$/, ".mjs"),
  ).href;
  return `import(${JSON.stringify(api)}).then((tsx) => (tsx.register(), import(${JSON.stringify(url.href)})));`;
}
