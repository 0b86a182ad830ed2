import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const OUT = join(import.meta.dirname, "../out");
const MOST_BYTES = 250_000;
const pages = readdirSync(OUT).filter((name) => name.endsWith(".html"));

test("W11 the first load of every page stays under 250 KB of compressed script", () => {
  const sizes = Object.fromEntries(pages.map((page) => [page, sizeOfScripts(page)]));

  expect(pages).toContain("index.html");
  expect(Math.min(...Object.values(sizes)), "every page loads React").toBeGreaterThan(100_000);
  expect(Object.entries(sizes).filter(([, bytes]) => bytes >= MOST_BYTES)).toEqual([]);
});

test("W4 W6 the editor and the player are not in the first load of any page", () => {
  const large = pages.flatMap((page) =>
    scriptsOf(page).filter((file) => /cm-lineNumbers|asciinema|ZodError/.test(readFileSync(join(OUT, file), "utf8"))),
  );

  expect(large).toEqual([]);
});

test("W11 the pages that show a terminal, and no others, have the emulator fetched together with their scripts", () => {
  const naming = pages.filter((page) => {
    const links = readFileSync(join(OUT, page), "utf8").matchAll(/<link rel="preload" as="script"[^>]*href="([^"]+)"/g);
    return [...links].some(([, file]) => readFileSync(join(OUT, file ?? ""), "utf8").includes("xterm-helper-textarea"));
  });

  expect(naming.sort()).toEqual(["shared.html", "terminal.html"]);
});

/** As gzip makes them, which every browser accepts; brotli's are smaller. */
function sizeOfScripts(page: string): number {
  return scriptsOf(page).reduce((sum, file) => sum + statSync(join(OUT, `${file}.gz`)).size, 0);
}

/** Without the script for browsers that know no modules. */
function scriptsOf(page: string): string[] {
  const tags = readFileSync(join(OUT, page), "utf8").match(/<script[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags
    .filter((tag) => !/nomodule/i.test(tag))
    .flatMap((tag) => /src="(\/_next\/[^"?]+\.js)/.exec(tag)?.[1] ?? []);
  return [...new Set(sources)];
}
