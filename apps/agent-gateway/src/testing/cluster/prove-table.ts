import { readFileSync, writeFileSync } from "node:fs";

export interface Cost {
  fault: string;
  backMs: number;
  refused: number;
}

const [BEGIN, END] = ["<!-- npm run prove:cluster writes from here -->", "<!-- to here -->"];

/** What each kind of failure cost, as a table. */
export function describeCosts(costs: readonly Cost[]): string {
  const kinds = [...new Set(costs.map(({ fault }) => fault))].sort();
  const rows = kinds.map((kind) => {
    const of = costs.filter(({ fault }) => fault === kind);
    const back = of.map(({ backMs }) => backMs);
    const refused = of.reduce((sum, cost) => sum + cost.refused, 0);
    return `| ${kind} | ${of.length} | ${seconds(middle(back))} | ${seconds(Math.max(...back))} | ${(refused / of.length).toFixed(0)} |`;
  });
  return [
    "| failure | times | all works again after (median) | longest | calls refused or cut, each time |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Replaces what an earlier run wrote into a page. */
export function writeInto(file: string, text: string): void {
  const page = readFileSync(file, "utf8");
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} needs the lines "${BEGIN}" and "${END}".`);
  writeFileSync(file, `${page.slice(0, from + BEGIN.length)}\n\n${text}\n\n${page.slice(to)}`);
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
