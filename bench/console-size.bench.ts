import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { addRow } from "./harness/report.ts";

/**
 * How much script each page of the console loads before any interaction, compressed as it is sent. Later
 * loads do not count: the terminal emulator when a terminal is opened, the palette on first use.
 */
const OUT = fileURLToPath(new URL("../apps/web/out/", import.meta.url));
const BUDGET_KB = 250;

if (!existsSync(`${OUT}index.html`)) {
  console.error("The console is not built. Run npm run build first.");
  process.exit(1);
}

/** Every page that is exported, so that a new one is measured as well. */
const pages = readdirSync(OUT).flatMap((name) => /^([a-z][\w-]*)\.html$/.exec(name)?.[1] ?? []);
for (const page of pages.sort()) {
  const kilobytes =
    scriptsOf(page).reduce((sum, file) => sum + gzipSync(readFileSync(OUT + file)).byteLength, 0) / 1000;
  addRow({
    what: `scripts of the first load of /${page === "index" ? "" : page}, KB`,
    measured: `${kilobytes.toFixed(0)} KB`,
    value: kilobytes,
    goal: { atMost: BUDGET_KB },
    peers: {},
  });
}

/** The scripts in the page itself, without those for browsers that do not support modules. */
function scriptsOf(page: string): string[] {
  const html = readFileSync(`${OUT}${page}.html`, "utf8");
  const tags = html.match(/<script[^>]*\ssrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags.filter((tag) => !/\snomodule/i.test(tag)).map((tag) => /\ssrc="\/([^"?]+)/.exec(tag)?.[1] ?? "");
  return [...new Set(sources)];
}
