import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { drawRows } from "./bench-picture.mjs";
import { readOptions } from "./options.mjs";
import { ROOT, run, TOOL_ENV } from "./run.mjs";
import { setUp } from "./setup.mjs";

const all = readdirSync(join(ROOT, "bench"))
  .filter((name) => name.endsWith(".bench.ts"))
  .map((name) => name.slice(0, -".bench.ts".length))
  .sort();
const { values: options, wanted } = readOptions({
  usage: `npm run bench [-- NAME …]: measures Belay beside plain servers, and lists the missed goals at the end

  NAME                  only these: ${all.join(", ")}
  --json FILE           writes the rows
  --svg FILE            draws the rows
  --growth-svg FILE     draws memory and echo for 1 to 500 terminals
  --questions-svg FILE  draws how often a person is asked`,
  takes: all,
  options: {
    json: { type: "string" },
    svg: { type: "string" },
    "growth-svg": { type: "string" },
    "questions-svg": { type: "string" },
  },
});
const files = all.filter((name) => wanted.length === 0 || wanted.includes(name)).map((name) => `${name}.bench.ts`);

await setUp();
const folder = mkdtempSync(join(tmpdir(), "belay-bench-rows-"));
const rowsFile = join(folder, "rows.jsonl");
const pictures = {
  ...(options["growth-svg"] && { BENCH_GROWTH_SVG: resolve(options["growth-svg"]) }),
  ...(options["questions-svg"] && { BENCH_QUESTIONS_SVG: resolve(options["questions-svg"]) }),
};
const startedAt = Date.now();
let isFailed = false;
for (const file of files) {
  console.log(`\n── ${file}`);
  const { code } = await run("tsx", [join("bench", file)], {
    env: { ...TOOL_ENV, BENCH_ROWS: rowsFile, ...pictures },
  });
  isFailed ||= code !== 0;
}
const text = existsSync(rowsFile) ? readFileSync(rowsFile, "utf8") : "";
const rows = text
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true, force: true });

const judged = rows.filter(({ goal }) => goal !== null);
const missed = judged.filter(({ verdict }) => verdict === "missed");
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
console.log(`\n${judged.length - missed.length} of ${judged.length} goals reached, in ${minutes} minutes.`);
for (const { what, measured } of missed) console.log(`missed  ${what}: ${measured}`);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ rows }, null, 2)}\n`);
if (options.svg) writeFileSync(options.svg, drawRows(rows));
process.exit(isFailed ? 1 : 0);
