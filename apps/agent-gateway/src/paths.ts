import { fileURLToPath } from "node:url";

// This file is one level below the package in both forms: src/paths.ts and the bundle in dist/.
export const MIGRATIONS_DIR = fileURLToPath(new URL("../migrations", import.meta.url));
export const WEB_DIR = fileURLToPath(new URL("../../web/out", import.meta.url));
