import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const PAGE = fileURLToPath(new URL("../../../../docs/what-survives.md", import.meta.url));
const HEAD = "| When | Belay | Reported |\n| --- | --- | --- |\n";

/**
 * The row about a fault in docs/what-survives.md. The test that causes the fault calls this once it has observed the
 * result, and fails if the page says otherwise. With UPDATE_DOCS set it writes the row.
 */
export function expectSurvivalRow(when: string, cells: { belay: string; says: string }): void {
  const row = `| ${when} | ${cells.belay} | ${cells.says} |\n`;
  if (process.env.UPDATE_DOCS !== undefined) writeRow(when, row);
  expect(readFileSync(PAGE, "utf8")).toContain(row);
}

function writeRow(when: string, row: string): void {
  const page = readFileSync(PAGE, "utf8");
  const start = page.indexOf(HEAD) + HEAD.length;
  const end = page.indexOf("\n\n", start - 1) + 1;
  const rows = page.slice(start, end).split(/(?<=\n)/);
  const at = rows.findIndex((known) => known.startsWith(`| ${when} |`));
  if (at === -1) rows.push(row);
  else rows[at] = row;
  writeFileSync(PAGE, page.slice(0, start) + rows.join("") + page.slice(end));
}
