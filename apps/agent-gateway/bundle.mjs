import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/**
 * Importing `node:http` reads all that it exports, and one of these properties loads Node's `fetch` when it is read. That
 * takes half of the time of a short command. Requiring it does not.
 */
const REQUIRE_HTTP = {
  name: "require-http",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?https?$/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "required" } : { path, external: true },
    );
    onLoad({ filter: /^/, namespace: "required" }, ({ path }) => ({ contents: `module.exports = require("${path}")` }));
  },
};

/** zod's messages in fifty languages, half of its code. Belay's own messages are English. */
const ENGLISH_ONLY = {
  name: "english-only",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir, path }) =>
      resolveDir.includes("/zod/") ? { path: join(resolveDir, path), namespace: "english-only" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "english-only" }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

/** How the program is bundled, with everything that runs in a thread or a process of its own. */
export const BUNDLE = {
  absWorkingDir: import.meta.dirname,
  entryPoints: {
    "pty-host": "src/terminals/pty-host.ts",
    "judge-worker": "src/policy/threads/judge-worker.ts",
    "search-worker": "src/audit/search/search-worker.ts",
    "history-worker": "../../packages/core/src/changes/history-worker.ts",
    "preview-worker": "../../packages/core/src/preview/preview-worker.ts",
    "recording-worker": "../../packages/core/src/recording/search/recording-worker.ts",
    "render-worker": "../../packages/core/src/render/worker/render-worker.ts",
  },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  // jsonc-parser's CommonJS form hides its requires from the bundler; its ES form does not.
  mainFields: ["module", "main"],
  external: ["better-sqlite3", "node-pty"],
  plugins: [REQUIRE_HTTP, ENGLISH_ONLY],
  legalComments: "none",
  logLevel: "warning",
  // Some dependencies are CommonJS and call require() for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};

/** Programs of tests. */
const TEST_PROGRAMS = {
  "host-process": "../../packages/core/src/testing/host-process.ts",
  "viewer-process": "../../packages/core/src/testing/chaos/viewer-process.ts",
  "crash-child": "../../packages/core/src/testing/changes/crash-child.ts",
};

/** Bundles only programs, with those of tests. Returns the folder, in node_modules, from where native modules are found. */
export async function bundlePrograms() {
  const outdir = mkdtempSync(join(import.meta.dirname, "node_modules", ".programs-"));
  await build({ ...BUNDLE, entryPoints: { ...BUNDLE.entryPoints, ...TEST_PROGRAMS }, outdir });
  return outdir;
}
