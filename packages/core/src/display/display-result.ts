import type { CommandState } from "@belay/protocol";
import { takeChars } from "../render/summary.ts";
import { displayCommand } from "./display-call.ts";

const TAIL_LINES = 6;
const PREVIEW_CHARS = 800;

interface ShownOutput {
  command: string;
  output: string;
  isTruncated: boolean;
  fullTextPath: string | null;
}

/** How a call went. */
export type ResultToShow =
  | ({ type: "finished"; exitCode: number | null; wasRewritten: boolean } & ShownOutput)
  | ({ type: "unfinished"; state: CommandState } & ShownOutput)
  | { type: "accepted" }
  | { type: "cancelled" }
  | { type: "denied"; reason: string }
  | { type: "failed"; message: string };

/** A result for a log: the end of the output, and a line that says how it went. */
export function displayResult(result: ResultToShow): string {
  switch (result.type) {
    case "accepted":
      return "started in background";
    case "cancelled":
      return "stopped";
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

/** A result for the console, which draws it itself. */
export interface ResultCard {
  status: "success" | "failed" | "ended" | "running" | "waiting" | "background" | "stopped" | "blocked" | "error";
  command: string;
  exitCode: number | null;
  preview: string;
  isTruncated: boolean;
  fullTextPath: string | null;
  /** Why, where it was blocked or failed. */
  reason: string | null;
}

export function resultCard(result: ResultToShow): ResultCard {
  const bare = { command: "", exitCode: null, preview: "", isTruncated: false, fullTextPath: null, reason: null };
  switch (result.type) {
    case "accepted":
      return { ...bare, status: "background" };
    case "cancelled":
      return { ...bare, status: "stopped" };
    case "denied":
      return { ...bare, status: "blocked", reason: result.reason };
    case "failed":
      return { ...bare, status: "error", reason: result.message };
    default: {
      const { command, output, isTruncated, fullTextPath } = result;
      return {
        status: cardStatus(result),
        command: displayCommand(command),
        exitCode: result.type === "finished" ? result.exitCode : null,
        preview: takeChars(output, PREVIEW_CHARS),
        isTruncated: isTruncated || output.length > PREVIEW_CHARS,
        fullTextPath,
        reason: null,
      };
    }
  }
}

type WithOutput = Extract<ResultToShow, { type: "finished" | "unfinished" }>;

function status(result: WithOutput): string {
  if (result.type === "unfinished") return `… ${result.state.replaceAll("_", " ")}`;
  const prefix = result.wasRewritten ? "[Safe] " : "";
  // An exit code that nobody knows is not a good one.
  if (result.exitCode === null) return `${prefix}? exit unknown`;
  return `${prefix}${result.exitCode === 0 ? "✓" : "✗"} exit=${result.exitCode}`;
}

function cardStatus(result: WithOutput): ResultCard["status"] {
  if (result.type === "finished") {
    if (result.exitCode === null) return "ended";
    return result.exitCode === 0 ? "success" : "failed";
  }
  if (result.state === "background") return "background";
  return result.state.startsWith("waiting_") ? "waiting" : "running";
}

function tailOf(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  return lines.slice(-TAIL_LINES).join("\n");
}
