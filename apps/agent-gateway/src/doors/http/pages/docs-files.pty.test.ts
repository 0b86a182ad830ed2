import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBelay } from "../../../testing/belay-process.ts";

test("G8 the documents of this version are at /docs, without broken links or inline scripts", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-docs-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const url = await runBelay(dataDir, ["start"]).ready;

  const found = await crawl(`${url}/docs`);

  expect(found.pages.length).toBeGreaterThan(10);
  expect(found.broken).toEqual([]);
  expect(found.inline).toEqual([]);
  expect(found.policies).toEqual([expect.stringContaining("default-src 'none'")]);
});

test("G8 the search index has every page", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-docs-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const url = await runBelay(dataDir, ["start"]).ready;

  const index = (await (await fetch(`${url}/docs/search.json`)).json()) as { page: string; text: string }[];

  expect(index.filter(({ text }) => text.includes("BELAY_PUBLIC_URL")).map(({ page }) => page)).toContain(
    "reference/settings.html",
  );
});

async function crawl(start: string) {
  const pages = new Map<string, string>();
  const policies = new Set<string | null>();
  const broken: string[] = [];
  const inline: string[] = [];
  const waiting = [start];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) continue;
    const response = await fetch(address);
    const html = response.headers.get("content-type")?.includes("html") ? await response.text() : "";
    pages.set(address, html);
    if (!response.ok) broken.push(address);
    if (html !== "") policies.add(response.headers.get("content-security-policy"));
    if (/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/.test(html)) inline.push(address);
    for (const [, target = ""] of html.matchAll(/(?:href|src)="([^"#]+)[^"]*"/g)) {
      const next = new URL(target, response.url);
      if (next.href.startsWith(`${start}/`)) waiting.push(next.href);
    }
  }
  return { pages: [...pages.keys()], policies: [...policies], broken, inline };
}
