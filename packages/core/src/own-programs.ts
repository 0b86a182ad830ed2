import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Files of ours that run in their own thread or process. Where they are depends on how Belay runs:
 *
 * 1. In a bundle, `NAME.js` is beside the bundle, so the bundler needs an entry of that name for each of them.
 * 2. From source, tsx compiles `NAME.ts`, since Node 22.12 cannot read types.
 * 3. Compiling takes longer than most tests. So the tests bundle each file before they start, and put the folder's path
 *    in this variable, which is read only when Belay runs from source.
 */
const TEST_BUNDLES = "BELAY_TEST_BUNDLES";

/** A program beside the calling file. */
export function programBeside(callerUrl: string, name: string): URL {
  return new URL(callerUrl.endsWith(".ts") ? `./${name}.ts` : `./${name}.js`, callerUrl);
}

export function startThread(program: URL, options: WorkerOptions): Worker {
  const compiled = compiledFile(program);
  if (compiled) return new Worker(compiled, { ...options, execArgv: [] });
  // Node 20 ignores `--import` for threads, so the thread registers tsx itself. Its CommonJS entry does not work there.
  const api = resolveHere("tsx/esm/api").replace(/\.cjs$/, ".mjs");
  const load = `import(${JSON.stringify(api)}).then((tsx) => (tsx.register(), import(${JSON.stringify(program.href)})));`;
  return new Worker(load, { ...options, execArgv: [], eval: true });
}

/** The arguments with which Node runs it as a process. */
export function nodeArguments(program: URL): string[] {
  const compiled = compiledFile(program);
  return compiled ? [fileURLToPath(compiled)] : ["--import", resolveHere("tsx"), fileURLToPath(program)];
}

function compiledFile(program: URL): URL | null {
  if (!program.pathname.endsWith(".ts")) return program;
  // biome-ignore lint/style/noProcessEnv: not a setting. It reaches threads and processes at any depth of a test.
  const folder = process.env[TEST_BUNDLES];
  if (folder === undefined) return null;
  const file = join(folder, basename(program.pathname).replace(/\.ts$/, ".js"));
  return existsSync(file) ? pathToFileURL(file) : null;
}

function resolveHere(name: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}
