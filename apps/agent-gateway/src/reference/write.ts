import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedPages } from "./pages.ts";

// `npm run docs` writes the generated pages; a test fails when they are stale.
const root = fileURLToPath(new URL("../../../..", import.meta.url));
for (const [path, text] of Object.entries(generatedPages())) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
