import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// This file is one level below the package both as src/paths.ts and in the bundle in dist/.
export const MIGRATIONS_DIR = fileURLToPath(new URL("../migrations", import.meta.url));
export const POSTGRES_MIGRATIONS_DIR = fileURLToPath(new URL("../migrations/postgres", import.meta.url));
export const WEB_DIR = fileURLToPath(new URL("../../web/out", import.meta.url));
/** The documentation as pages, which only exist after a build. */
export const DOCS_DIR = fileURLToPath(new URL("../dist/docs", import.meta.url));
/** The host program, beside this file in both cases. */
export const HOST_PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "./terminals/pty-host.ts" : "./pty-host.js",
  import.meta.url,
);
/** The judge's worker thread, likewise. */
export const JUDGE_WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./policy/threads/judge-worker.ts" : "./judge-worker.js",
  import.meta.url,
);
/** The thread that searches the record, likewise. */
export const SEARCH_WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./audit/search/search-worker.ts" : "./search-worker.js",
  import.meta.url,
);
/** The licences of the bundled packages; missing when this runs from source. */
export const LICENCES_FILE = new URL("./licences.json", import.meta.url);

/** How people call this program: by name if installed, with npx in a clone, which is not on the PATH. */
const isClone = existsSync(new URL("../../../pnpm-workspace.yaml", import.meta.url));
export const BELAY: string = isClone ? "npx belay" : "belay";
export const BELAY_START: string = isClone ? "npm start" : "belay start";
