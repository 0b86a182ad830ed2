import type { CommandState } from "@belay/protocol";

const TAIL_LINES = 6;

interface ShownOutput {
  command: string;
  output: string;
  isTruncated: boolean;
  fullTextPath: string | null;
}

/** The outcome of a call. */
export type ResultToShow =
  | ({ type: "finished"; exitCode: number | null; wasRewritten: boolean } & ShownOutput)
  | ({ type: "unfinished"; state: CommandState } & ShownOutput)
  | { type: "accepted" }
  | { type: "cancelled" }
  | { type: "previewed"; message: string }
  | { type: "denied"; reason: string }
  | { type: "failed"; message: string };

/** A result for a log: the end of the output, and a line with the outcome. */
export function displayResult(result: ResultToShow): string {
  switch (result.type) {
    case "accepted":
      return "async task started";
    case "cancelled":
      return "stopped";
    case "previewed":
      return result.message;
    case "denied":
      return `[Blocked] ${result.reason}`;
    case "failed":
      return `error: ${result.message}`;
    default: {
      const full = result.fullTextPath === null ? "" : ` [full: ${result.fullTextPath}]`;
      const tail = tailOf(result.output);
      return `${tail === "" ? "" : `${tail}\n`}${status(result)}${full}`;
    }
  }
}

type WithOutput = Extract<ResultToShow, { type: "finished" | "unfinished" }>;

function status(result: WithOutput): string {
  if (result.type === "unfinished") return `… ${result.state.replaceAll("_", " ")}`;
  const prefix = result.wasRewritten ? "[Safe] " : "";
  // An unknown exit code is not shown as success.
  if (result.exitCode === null) return `${prefix}? exit unknown`;
  return `${prefix}${result.exitCode === 0 ? "✓" : "✗"} exit=${result.exitCode}`;
}

function tailOf(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  return lines.slice(-TAIL_LINES).join("\n");
}
