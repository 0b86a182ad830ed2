import { type CallToShow, displayCall, displayResult, type ResultToShow } from "@belay/core";
import type { CommandDescription } from "../../../commands/describe-command.ts";

/** A call and what it came to in a few words, for a client that shows a person what its agent does. */
export function displayOf(
  call: CallToShow,
  described: CommandDescription,
  command: string,
  { displayCommandCharacters }: { displayCommandCharacters: number },
): { call: string; result: string } {
  return { call: displayCall(call, displayCommandCharacters), result: displayResult(resultOf(described, command)) };
}

function resultOf(described: CommandDescription, command: string): ResultToShow {
  const bare = { command, output: "", isTruncated: false, fullTextPath: null };
  switch (described.kind) {
    case "not-run":
      return described.isBlocked
        ? { type: "denied", reason: described.message }
        : { type: "failed", message: described.message };
    case "waiting":
      return { ...bare, type: "unfinished", state: "waiting_approval" };
    case "running":
      return { ...bare, type: "unfinished", state: "running" };
    case "spawned":
      return { type: "accepted" };
    case "done":
      return {
        ...bare,
        type: "finished",
        output: described.shown.text,
        exitCode: described.result.exitCode,
        wasRewritten: false,
      };
    case "ran": {
      const { report, shown, isDone, rewrittenTo } = described;
      const { text: output, isTruncated, fullTextPath } = shown;
      const shownOutput = { command, output, isTruncated, fullTextPath };
      if (!isDone) return { ...shownOutput, type: "unfinished", state: report.state };
      return { ...shownOutput, type: "finished", exitCode: report.exitCode, wasRewritten: rewrittenTo !== null };
    }
  }
}
