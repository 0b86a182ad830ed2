import { showHidden } from "@belay/protocol";

/** Characters that a terminal acts on or hides, and that JSON does not escape: C1 controls, zero-width and bidirectional ones. */
const HIDDEN_IN_JSON = /[\u007f-\u009f]|\p{Cf}|\p{Co}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2).replace(HIDDEN_IN_JSON, escapeUnits)}\n`);
}

/** Cells may come from agents, so nothing in them may control this terminal or be invisible. */
export function printTable(head: string[], rows: string[][]): void {
  const shown = rows.map((row) => row.map((cell) => showHidden(cell).replaceAll("\n", "⏎")));
  const widths = head.map((title, column) => Math.max(title.length, ...shown.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...shown]) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}

function escapeUnits(characters: string): string {
  return characters
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
