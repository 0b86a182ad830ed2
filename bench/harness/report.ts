import { writeFileSync } from "node:fs";

/** A goal for a value, or for the ratio of two: at least or at most. */
export type Goal = { atLeast: number } | { atMost: number } | null;

export interface Row {
  what: string;
  /** Belay's value with its unit, and the spread of single runs where there are several. */
  measured: string;
  /** What the goal is about: a ratio or a plain value. */
  value: number;
  goal: Goal;
  /** The others, measured in the same run. */
  peers: Record<string, string>;
}

const rows: Row[] = [];

/** Prints a row as soon as it is measured. A missed goal stays in the table as missed. */
export function addRow(row: Row): void {
  rows.push(row);
  const peers = Object.entries(row.peers).map(([name, value]) => `${name} ${value}`);
  console.log(
    `${verdictOf(row).padEnd(7)} ${row.what.padEnd(58)} ${row.measured.padStart(22)}   ` +
      `${row.value.toFixed(2).padStart(7)} ${goalText(row.goal).padEnd(8)} ${peers.join(", ")}`,
  );
}

export function verdictOf({ value, goal }: Pick<Row, "value" | "goal">): "reached" | "missed" | "" {
  if (goal === null) return "";
  const isReached = "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
  return isReached ? "reached" : "missed";
}

function goalText(goal: Goal): string {
  if (goal === null) return "";
  return "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

/** Says how many goals were reached, and writes all rows as JSON where `BENCH_JSON` names a file. */
export function finish(): void {
  const judged = rows.filter((row) => row.goal !== null);
  const reached = judged.filter((row) => verdictOf(row) === "reached").length;
  console.log(`\n${reached} of ${judged.length} goals reached.`);
  const file = process.env.BENCH_JSON;
  if (file)
    writeFileSync(file, JSON.stringify({ rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) })) }, null, 2));
}
