import { showHidden } from "@belay/protocol";
import { Command } from "commander";
import type { Settings } from "../../../../env.ts";
import { type ControlClient, withControl } from "../../../control/client.ts";
import { printJson, printTable } from "../../print.ts";
import { onOneLine } from "./print-changes.ts";

type Previewed = Awaited<ReturnType<ControlClient["changes"]["preview"]["mutate"]>>;

/** `belay preview`: what a command would change in the workspace, without changing it. */
export function previewCommand(settings: Settings): Command {
  return new Command("preview")
    .description("Show what a command would change in the workspace, without running it for real")
    .argument("<command>", "the command, in quotes")
    .option("--diff", "show the changed lines")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nIt runs on a copy, without a network, for at most 20 seconds. What the policy denies is not previewed.",
    )
    .action((command: string, options: { diff?: boolean; json?: boolean }) =>
      withControl(settings, async (client) => {
        const previewed = await client.changes.preview.mutate({ command });
        if (options.json) printJson(previewed);
        else print(previewed, options.diff === true);
      }),
    );
}

function print({ decision, preview, diffs }: Previewed, showsDiffs: boolean): void {
  const { summary, exitCode, output, changes, attempts } = preview;
  const out = (text: string) => process.stdout.write(text);
  const exit = exitCode === null ? "not done in time" : `exit ${exitCode}`;
  out(`It ${summary}; ${exit}.${decision === "ask" ? " A person would be asked first." : ""}\n`);
  for (const attempt of attempts) out(`${attempt}\n`);
  if (changes.paths.length > 0) {
    const count = (lines: number | null) => (lines === null ? "" : String(lines));
    printTable(
      ["CHANGE", "+", "−", "PATH"],
      changes.paths.map(({ kind, type, path, addedLines, removedLines }) => [
        kind,
        count(addedLines),
        count(removedLines),
        type === "folder" ? `${path}/` : path,
      ]),
    );
  }
  if (changes.unlisted > 0) out(`… and ${changes.unlisted} more\n`);
  for (const { id, path } of showsDiffs ? changes.paths : []) {
    if (diffs[id] === undefined) continue;
    out(`\n--- ${onOneLine(path)}\n`);
    for (const { oldStart, newStart, lines } of diffs[id]) {
      out(`@@ -${oldStart} +${newStart} @@\n${lines.map(showHidden).join("\n")}\n`);
    }
  }
  if (output.trim() !== "") out(`\nIt printed:\n${output.trimEnd().split("\n").map(showHidden).join("\n")}\n`);
}
