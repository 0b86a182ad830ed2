import { takeChars } from "../render/text/summary.ts";

const MAX_INPUT_CHARS = 30;

/** A request to a terminal. */
export type CallToShow =
  | { type: "run"; command: string; isBackground: boolean; isAsync?: boolean }
  | { type: "input"; input: string; isSecret: boolean }
  | { type: "check" }
  | { type: "cancel" };

/** Describes a call in one line, for people who watch. */
export function displayCall(call: CallToShow, maxCommandChars: number): string {
  switch (call.type) {
    case "run":
      return `terminal(${displayCommand(call.command, maxCommandChars)}${howItRuns(call)})`;
    case "input":
      if (call.isSecret) return "terminal(send a secret)";
      return call.input === "" ? "terminal(check handle)" : `terminal(send ${displayInput(call.input)})`;
    case "check":
      return "terminal(query handle)";
    case "cancel":
      return "terminal(cancel handle)";
  }
}

function howItRuns({ isBackground, isAsync }: Extract<CallToShow, { type: "run" }>): string {
  if (isAsync) return ", async";
  return isBackground ? ", in background" : "";
}

/** A command shortened to one line. */
export function displayCommand(command: string, maxChars: number): string {
  const lines = command
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const first = (lines[0] ?? "").replaceAll(/\s+/g, " ");
  const more = lines.length > 1 ? ` … +${lines.length - 1} lines` : "";
  const room = maxChars - more.length;
  return `${first.length <= room ? first : `${takeChars(first, room - 1)}…`}${more}`;
}

function displayInput(input: string): string {
  const shown = takeChars(input.trimEnd() || input, MAX_INPUT_CHARS);
  return `${JSON.stringify(shown)}${shown.length < input.trimEnd().length ? "…" : ""}`;
}
