import { type CallToShow, displayCall, displayResult, type ResultToShow } from "@belay/core";
import { isOver } from "../../../../commands/outcome.ts";
import type { DescribedCommand } from "./reply.ts";

/** A call and its result in a few words, for clients that show people what their agent does. */
export function displayOf(
  call: CallToShow,
  described: DescribedCommand,
  command: string,
  { displayCommandCharacters }: { displayCommandCharacters: number },
): { call: string; result: string } {
  return { call: displayCall(call, displayCommandCharacters), result: displayResult(resultOf(described, command)) };
}

function resultOf({ outcome, words, shown }: DescribedCommand, command: string): ResultToShow {
  const { text: output, isTruncated, fullTextPath } = shown;
  const bare = { command, output, isTruncated, fullTextPath };
  switch (outcome.status) {
    case "waiting":
      return { ...bare, type: "unfinished", state: "waiting_approval" };
    case "running":
      return { ...bare, type: "unfinished", state: "running" };
    case "spawned":
      return { type: "accepted" };
    case "done":
      return { ...bare, type: "finished", exitCode: outcome.result.exitCode, wasRewritten: false };
    case "ran": {
      const { report, rewrittenTo } = outcome;
      if (!isOver(outcome)) return { ...bare, type: "unfinished", state: report.state };
      return { ...bare, type: "finished", exitCode: report.exitCode, wasRewritten: rewrittenTo !== undefined };
    }
    case "previewed":
      return { type: "previewed", message: words.message ?? "" };
    default: {
      const message = words.message ?? "";
      return words.isBlocked ? { type: "denied", reason: message } : { type: "failed", message };
    }
  }
}
