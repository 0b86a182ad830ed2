import { rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { buildDocs } from "./docs-site/build-docs.mjs";
import { listLicences } from "./licences.mjs";

// One bundle with its dependencies starts much faster; native modules stay outside.
await rm(new URL("dist", import.meta.url), { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  absWorkingDir: import.meta.dirname,
  entryPoints: {
    cli: "src/cli.ts",
    library: "src/doors/library/index.ts",
    "pty-host": "src/terminals/pty-host.ts",
    "judge-worker": "src/policy/threads/judge-worker.ts",
    "search-worker": "src/audit/search/search-worker.ts",
    "history-worker": "../../packages/core/src/changes/history-worker.ts",
    "preview-worker": "../../packages/core/src/preview/preview-worker.ts",
    "recording-worker": "../../packages/core/src/recording/search/recording-worker.ts",
    "render-worker": "../../packages/core/src/render/worker/render-worker.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  // jsonc-parser's CommonJS form hides its requires from the bundler; its ES form does not.
  mainFields: ["module", "main"],
  external: ["better-sqlite3", "node-pty"],
  sourcemap: true,
  legalComments: "none",
  logLevel: "warning",
  // Some dependencies are CommonJS and call require() for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});

// A separate bundle that shares no chunk with the large ones: a client waits for it before every command.
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/hook.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  logLevel: "warning",
});
await buildDocs(new URL("dist/docs/", import.meta.url));

await writeFile(
  new URL("dist/licences.json", import.meta.url),
  JSON.stringify(await listLicences(Object.keys(metafile.inputs))),
);
