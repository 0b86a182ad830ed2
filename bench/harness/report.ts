import { appendFileSync } from "node:fs";

/** A goal for a value, or for the ratio of two: at least or at most. */
export type Goal = { atLeast: number } | { atMost: number } | null;

export interface Row {
  what: string;
  /** Belay's value with its unit, and the spread of single runs if there are several. */
  measured: string;
  /** What the goal is about: a ratio or a plain value. */
  value: number;
  goal: Goal;
  /** The others, measured in the same run. */
  peers: Record<string, string>;
}

/** Prints a row as soon as it is measured, and adds it to the file for the whole run. A missed goal is marked in the table. */
export function addRow(row: Row): void {
  const peers = Object.entries(row.peers).map(([name, value]) => `${name} ${value}`);
  const verdict = verdictOf(row);
  console.log(
    `${verdict.padEnd(7)} ${row.what.padEnd(62)} ${row.measured.padStart(22)}   ` +
      `${row.value.toFixed(2).padStart(7)} ${goalText(row.goal).padEnd(8)} ${peers.join(", ")}`,
  );
  const file = process.env.BENCH_ROWS;
  if (file) appendFileSync(file, `${JSON.stringify({ ...row, verdict })}\n`);
}

function verdictOf({ value, goal }: Pick<Row, "value" | "goal">): "reached" | "missed" | "" {
  if (goal === null) return "";
  const isReached = "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
  return isReached ? "reached" : "missed";
}

function goalText(goal: Goal): string {
  if (goal === null) return "";
  return "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}
