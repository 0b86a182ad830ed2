import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// This file is one level below the package in both forms: src/paths.ts and the bundle in dist/.
export const MIGRATIONS_DIR = fileURLToPath(new URL("../migrations", import.meta.url));
export const WEB_DIR = fileURLToPath(new URL("../../web/out", import.meta.url));
/** The documentation as pages; only the build makes them. */
export const DOCS_DIR = fileURLToPath(new URL("../dist/docs", import.meta.url));
/** What holds the terminals, beside this file in both forms. */
export const HOST_PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "./terminals/pty-host.ts" : "./pty-host.js",
  import.meta.url,
);
/** The thread that judges agents' texts, likewise. */
export const JUDGE_WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./policy/threads/judge-worker.ts" : "./judge-worker.js",
  import.meta.url,
);
/** Whose software the bundle holds; there is none when this runs from source. */
export const LICENCES_FILE = new URL("./licences.json", import.meta.url);

/** How people call this program: by its name where it was installed, and with npx in a clone, which puts nothing on the path. */
const isClone = existsSync(new URL("../../../pnpm-workspace.yaml", import.meta.url));
export const BELAY: string = isClone ? "npx belay" : "belay";
export const BELAY_START: string = isClone ? "npm start" : "belay start";
