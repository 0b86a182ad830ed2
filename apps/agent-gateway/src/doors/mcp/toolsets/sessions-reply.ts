import { CommandState } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { OutcomeWords } from "../../../commands/describe-outcome.ts";
import { type CommandOutcome, isOver } from "../../../commands/outcome.ts";
import type { RenderedOutput } from "../../../commands/render-outcome.ts";
import { refuse } from "../tool-call.ts";

const More = z.object({
  state: CommandState.optional(),
  durationMs: z.number().optional(),
  outputTruncated: z.boolean().optional(),
  fullOutputFile: z.string().optional(),
  hint: z.string().optional(),
});

export const BashOutput = z.object({
  output: z.string(),
  exitCode: z.int().nullable().describe("Null while it runs, or if unknown."),
  ok: z.boolean(),
  handle: z.string().optional().describe("It is not done: poll with terminal_continue and this as sessionId."),
  ...More.shape,
});

export const SessionOutput = z.object({
  id: z.string(),
  command: z.string(),
  position: z.int(),
  complete: z.boolean(),
  exitCode: z.int().nullable(),
  output: z.string(),
  cwd: z.string().optional(),
  ...More.shape,
});

/** A command, its state in words, and its output. */
export interface DescribedCommand {
  outcome: CommandOutcome;
  words: OutcomeWords;
  shown: RenderedOutput;
}

/** The result of a one-shot command. */
export function toBashReply(described: DescribedCommand): CallToolResult {
  const output = toBashOutput(described);
  if (!output) return refuse(refusal(described.words));
  const about = output.handle ? [`Handle: ${output.handle}`, `State: ${output.state}`] : [exitLine(output.exitCode)];
  return toResult([...about, ...(output.hint ? [output.hint] : [])], output);
}

function toBashOutput({ outcome, words, shown }: DescribedCommand): z.infer<typeof BashOutput> | null {
  const bare = { exitCode: null, ok: false };
  const again = "Poll with terminal_continue and this handle as sessionId.";
  switch (outcome.status) {
    case "done": {
      const { exitCode, ok, error } = outcome.result;
      const durationMs = Math.round(outcome.result.durationMs);
      const hint = hintAfter(error, words);
      return { output: shown.text, exitCode, ok, durationMs, state: "completed", ...cut(shown), ...hint };
    }
    case "running":
      return { ...bare, output: "", handle: outcome.commandId, state: "running", hint: `It still runs. ${again}` };
    case "waiting": {
      const hint = [again, ...words.notes].join(" ");
      const handle = outcome.approval.commandId;
      return { ...bare, output: words.message ?? "", handle, state: "waiting_approval", hint };
    }
    default:
      return null;
  }
}

/** The state of a session. */
export function toSessionReply(
  described: DescribedCommand,
  { id, command, isNew }: { id: string; command: string; isNew: boolean },
): CallToolResult {
  if (described.words.isNotRun) return refuse(refusal(described.words));
  const output = toSessionOutput(described, { id, command });
  const head = isNew
    ? ["Terminal Session Started", `ID: ${id}`, `Command: ${command}`, `Position: ${output.position}`]
    : [`Terminal Session: ${id}`, `Position: ${output.position}`, `Complete: ${output.complete}`];
  if (isNew && output.complete) head.push("Complete: true");
  if (output.complete) head.push(exitLine(output.exitCode));
  if (output.state && !output.complete && output.state !== "running") head.push(`State: ${output.state}`);
  if (output.hint) head.push(output.hint);
  return toResult(head, output);
}

function toSessionOutput(
  { outcome, words, shown }: DescribedCommand,
  { id, command }: { id: string; command: string },
): z.infer<typeof SessionOutput> {
  const bare = { id, command, position: 0, complete: false, exitCode: null };
  switch (outcome.status) {
    case "ran": {
      const { report } = outcome;
      const complete = isOver(outcome);
      const hint = [...words.notes, ...(outcome.isShellReadingKeys ? [] : nextStep(report.state))].join(" ");
      return {
        ...bare,
        position: report.endPosition,
        complete,
        exitCode: complete ? report.exitCode : null,
        output: shown.text,
        state: report.state,
        cwd: report.cwd,
        durationMs: report.durationMs,
        ...cut(shown),
        ...(hint === "" ? {} : { hint }),
      };
    }
    case "done": {
      const { exitCode, error } = outcome.result;
      const durationMs = Math.round(outcome.result.durationMs);
      const position = Buffer.byteLength(outcome.result.output);
      const hint = hintAfter(error, words);
      return { ...bare, position, complete: true, exitCode, output: shown.text, durationMs, ...cut(shown), ...hint };
    }
    case "waiting": {
      const hint = ["terminal_continue asks again.", ...words.notes].join(" ");
      return { ...bare, output: words.message ?? "", state: "waiting_approval", hint };
    }
    default:
      return { ...bare, output: "", state: "running" };
  }
}

function hintAfter(error: string | null, { notes }: OutcomeWords): { hint?: string } {
  const hints = [...(error === null ? [] : [error]), ...notes];
  return hints.length === 0 ? {} : { hint: hints.join(" ") };
}

function nextStep(state: CommandState): string[] {
  if (state === "waiting_secret") {
    return ["It asks for a password, which only a person may type. Tell them, and look again."];
  }
  return state === "waiting_input" ? ["It waits for input: send it with stdin."] : [];
}

function refusal({ message, rule, part, saferWay }: OutcomeWords): string {
  return [
    message ?? "",
    rule === null ? "" : `Rule: ${rule}`,
    part === null ? "" : `Because of: ${part}`,
    saferWay === null ? "" : `Instead: ${saferWay}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function exitLine(exitCode: number | null): string {
  return `Exit code: ${exitCode ?? "unknown"}`;
}

function cut({ isTruncated, fullTextPath }: { isTruncated: boolean; fullTextPath: string | null }) {
  return {
    ...(isTruncated ? { outputTruncated: true } : {}),
    ...(fullTextPath === null ? {} : { fullOutputFile: fullTextPath }),
  };
}

function toResult(head: string[], output: { output: string } & Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: "text", text: `${head.join("\n")}\n\nOutput:\n${output.output}` }],
    structuredContent: output,
  };
}
