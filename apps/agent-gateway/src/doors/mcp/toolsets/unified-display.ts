import { type CallToShow, displayCall, displayResult, type ResultToShow } from "@belay/core";
import type { Told } from "../../../commands/describe-command.ts";

/** A call and what it came to in a few words, for a client that shows a person what its agent does. */
export function displayOf(call: CallToShow, told: Told, command: string): { call: string; result: string } {
  return { call: displayCall(call), result: displayResult(resultOf(told, command)) };
}

function resultOf(told: Told, command: string): ResultToShow {
  const bare = { command, output: "", isTruncated: false, fullTextPath: null };
  switch (told.kind) {
    case "not-run":
      return told.isBlocked ? { type: "denied", reason: told.message } : { type: "failed", message: told.message };
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
        output: told.shown.text,
        exitCode: told.result.exitCode,
        wasRewritten: false,
      };
    case "ran": {
      const { report, shown, isDone, rewrittenTo } = told;
      const { text: output, isTruncated, fullTextPath } = shown;
      const shownOutput = { command, output, isTruncated, fullTextPath };
      if (!isDone) return { ...shownOutput, type: "unfinished", state: report.state };
      return { ...shownOutput, type: "finished", exitCode: report.exitCode, wasRewritten: rewrittenTo !== null };
    }
  }
}
