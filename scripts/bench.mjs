import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run bench [-- NAME …]`: every *.bench.ts in bench/, or those whose names begin as given.
await setUp();
const wanted = process.argv.slice(2);
const files = readdirSync(join(ROOT, "bench"))
  .filter((name) => name.endsWith(".bench.ts"))
  .filter((name) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix)))
  .sort();
if (files.length === 0) {
  console.error(
    `No benchmark ${wanted.join(", ")}; there are: ${readdirSync(join(ROOT, "bench"))
      .filter((name) => name.endsWith(".bench.ts"))
      .join(", ")}`,
  );
  process.exit(1);
}

let isFailed = false;
for (const file of files) {
  console.log(`\n── ${file}`);
  const { code } = await run("tsx", [join("bench", file)]);
  isFailed ||= code !== 0;
}
process.exit(isFailed ? 1 : 0);
