import { showHidden } from "@belay/protocol";
import type { ControlClient } from "../../../control/client.ts";
import { printJson, printTable } from "../../print.ts";

type Recent = Awaited<ReturnType<ControlClient["changes"]["recent"]["query"]>>;
type View = Awaited<ReturnType<ControlClient["changes"]["of"]["query"]>>;
type Steps = Awaited<ReturnType<ControlClient["changes"]["plan"]["query"]>>["steps"];
export type Hunks = Awaited<ReturnType<ControlClient["changes"]["diff"]["query"]>>;
type File = NonNullable<View["list"]>["paths"][number];

export function printRecent(recent: Recent, { json }: { json?: boolean }): void {
  if (json) printJson(recent);
  else if (recent.length === 0) process.stdout.write("No command has changed a tracked file.\n");
  else
    printTable(
      ["COMMAND", "ENDED", "CHANGES", "LINE"],
      recent.map(({ commandId, at, summary, line }) => [
        commandId,
        new Date(at).toISOString(),
        summary,
        line ?? "(an undo)",
      ]),
    );
}

export function printView(
  { list, problem, summary, sharedWith, undoneBy }: View,
  diffs: Map<string, Hunks> | null,
): void {
  if (!list) {
    process.exitCode = 1;
    return void process.stderr.write(`belay: ${problem ?? "not known"}\n`);
  }
  process.stdout.write(`${summary === "" ? "Nothing changed." : summary}\n`);
  if (sharedWith.length > 0) {
    const others = sharedWith.map(({ commandId }) => commandId).join(", ");
    process.stdout.write(`Other commands ran at the same time and may have made these changes: ${others}\n`);
  }
  for (const { commandId, at } of undoneBy) {
    process.stdout.write(`Undone by ${commandId} at ${new Date(at).toISOString()}.\n`);
  }
  if (list.paths.length > 0) {
    const count = (lines: number | null) => (lines === null ? "" : String(lines));
    printTable(
      ["CHANGE", "+", "−", "PATH"],
      list.paths.map(({ kind, type, path, addedLines, removedLines }) => [
        kind,
        count(addedLines),
        count(removedLines),
        type === "folder" ? `${path}/` : path,
      ]),
    );
  }
  if (list.unlisted > 0) process.stdout.write(`… and ${list.unlisted} more\n`);
  for (const file of diffs ? list.paths : []) if (file.type !== "folder") printDiff(file, diffs?.get(file.id) ?? null);
}

function printDiff(file: File, hunks: Hunks): void {
  const { path, kind, modeBefore, modeAfter } = file;
  process.stdout.write(`\n--- ${onOneLine(path)}\n`);
  if (kind === "changed" && modeBefore !== modeAfter) {
    process.stdout.write(`mode ${octal(modeBefore)} → ${octal(modeAfter)}\n`);
  }
  if (!hunks) process.stdout.write(`${describeOpaque(file)}\n`);
  for (const { oldStart, newStart, lines } of hunks ?? []) {
    process.stdout.write(`@@ -${oldStart} +${newStart} @@\n${lines.map(showHidden).join("\n")}\n`);
  }
}

/** The description of a file that is not text. */
function describeOpaque({ type, sizeBefore, sizeAfter }: File): string {
  if (type === "other") return "(a named pipe, a socket or a device)";
  const size = (bytes: number | null) => (bytes === null ? "nothing" : `${bytes.toLocaleString("en")} bytes`);
  return `(no text to compare: ${size(sizeBefore)} → ${size(sizeAfter)})`;
}

function octal(mode: number | null): string {
  return (mode ?? 0).toString(8).padStart(4, "0");
}

/** A name for a line of text: nothing in it may control the terminal or begin another line. */
export function onOneLine(path: string): string {
  return showHidden(path).replaceAll("\n", "⏎");
}

export function printPlan(steps: Steps): void {
  if (steps.length === 0) return void process.stdout.write("There is nothing to undo.\n");
  printTable(
    ["WHAT", "PATH", "WHY"],
    steps.map(({ action, effect, path, reason }) => [action === "restore" ? effect : action, path, reason ?? ""]),
  );
}
