import { type CommandId, type CommandReport, CommandState, Evidence } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { describeSummary } from "../../../../changes/words.ts";
import type { OutcomeWords } from "../../../../commands/describe-outcome.ts";
import { type CommandOutcome, isOver } from "../../../../commands/outcome.ts";
import type { RenderedOutput } from "../../../../commands/render-outcome.ts";
import { toText } from "./text.ts";

export const UnifiedOutput = z.object({
  state: CommandState.optional(),
  evidence: Evidence.optional().describe("How the state is known; `silence` is only a guess."),
  exit_code: z.int().nullable().optional().describe("Present once the command is done; null if unknown."),
  handle_id: z.string().optional().describe("Present while it is not done: send it back to poll."),
  output: z.string().describe("Its output since your last call."),
  output_truncated: z.boolean().optional(),
  omitted_lines: z
    .object({ from: z.int(), to: z.int(), bytes: z.int() })
    .optional()
    .describe("What `output` leaves out; terminal_read with from_line and to_line gives it."),
  full_output_file: z.string().optional().describe("A file on Belay's machine with all of it."),
  terminal_id: z.string().optional(),
  shell_is_shared: z.boolean().optional().describe("All clients with this token use it: no conversation was named."),
  cwd: z.string().optional(),
  duration_ms: z.number().optional(),
  from_position: z.int().optional().describe("Byte position where `output` begins."),
  position: z.int().optional().describe("Byte position where `output` ends."),
  lost_bytes: z.int().optional().describe("Bytes of it that are lost."),
  approval_id: z.string().optional(),
  security_blocked: z.boolean().optional(),
  security_rewrite: z.string().optional().describe("The safer command that was run instead, or that you can run."),
  rule: z.string().optional().describe("The rule that refused it."),
  refused_part: z.string().optional().describe("The part of the text that it was refused for."),
  changes: z.string().optional().describe("What it changed in the workspace."),
  changed_by: z.string().optional().describe("The handle for terminal_changes and terminal_undo."),
  hint: z.string().optional(),
  finished_tasks: z
    .array(
      z.object({
        handle_id: z.string(),
        command: z.string(),
        exit_code: z.int().nullable(),
        output: z.string(),
        duration_ms: z.number(),
      }),
    )
    .optional()
    .describe("Commands that have ended since your last call."),
});
export type UnifiedOutput = z.infer<typeof UnifiedOutput>;

/** A command, its state in words, and its output. */
export interface DescribedCommand {
  outcome: CommandOutcome;
  words: OutcomeWords;
  shown: RenderedOutput;
}

/** A command that finished between its agent's calls. */
export interface FinishedCommand {
  line: string;
  report: CommandReport;
  /** The output since its agent's last call. */
  output: string;
}

interface About {
  /** The call and its result, for people who follow along (D12). */
  display: { call: string; result: string };
  /** It was started as an unattended task. */
  isAsync: boolean;
  commandId: CommandId;
  /** The input was for a password prompt: the program waits for a person. */
  waitsForSecret: boolean;
  finished: FinishedCommand[];
  /** Unknown parameters of the call. */
  ignored: string[];
  /** Notes about the shell. */
  notes: string[];
  /** The client did not name its conversation. */
  isShared: boolean;
}

export function toReply(described: DescribedCommand, about: About): CallToolResult {
  const output: UnifiedOutput = {
    ...toOutput(described, about),
    ...(about.finished.length > 0 ? { finished_tasks: about.finished.map(toFinishedTask) } : {}),
  };
  if (about.isShared && output.terminal_id) output.shell_is_shared = true;
  const hints = [...about.notes, ...(output.hint ? [output.hint] : []), ...ignoredHint(about.ignored)];
  if (hints.length > 0) output.hint = hints.join(" ");
  return {
    content: [{ type: "text", text: toText(output) }],
    structuredContent: output,
    isError: described.words.isNotRun,
    _meta: { "belay/display": about.display },
  };
}

function toOutput(described: DescribedCommand, about: About): UnifiedOutput {
  const { outcome, words, shown } = described;
  const message = words.message ?? "";
  switch (outcome.status) {
    case "waiting": {
      const { id, commandId } = outcome.approval;
      const hint = ["Poll with this handle_id alone.", ...words.notes].join(" ");
      return {
        state: "waiting_approval",
        output: message,
        handle_id: commandId,
        approval_id: id,
        ...(words.rule === null ? {} : { rule: words.rule }),
        ...(words.part === null ? {} : { refused_part: words.part }),
        hint,
      };
    }
    case "running": {
      const { commandId, terminalId } = outcome;
      const shell = terminalId === null ? {} : { terminal_id: terminalId };
      return { state: "running", output: "", handle_id: commandId, ...shell, hint: HINTS.running };
    }
    case "spawned":
      return { state: "background", output: "", terminal_id: outcome.terminal.id };
    case "done":
      return {
        state: "completed",
        output: shown.text,
        exit_code: outcome.result.exitCode,
        ...changesOf(outcome, about.commandId),
        ...(words.notes.length === 0 ? {} : { hint: words.notes.join(" ") }),
      };
    case "ran":
      return toRan(outcome, described, about);
    default:
      return {
        ...(about.waitsForSecret ? { state: "waiting_secret", handle_id: about.commandId } : {}),
        output: message,
        ...(words.isBlocked ? { security_blocked: true } : {}),
        ...(words.rule === null ? {} : { rule: words.rule }),
        ...(words.part === null ? {} : { refused_part: words.part }),
        ...(words.saferWay === null ? {} : { security_rewrite: words.saferWay, hint: `Instead: ${words.saferWay}` }),
        ...(words.approvalId === null ? {} : { approval_id: words.approvalId }),
        ...(about.waitsForSecret ? { hint: HINTS.waiting_secret } : {}),
      };
  }
}

function toRan(
  outcome: Extract<CommandOutcome, { status: "ran" }>,
  { words, shown }: DescribedCommand,
  { isAsync }: About,
): UnifiedOutput {
  const { report, rewrittenTo } = outcome;
  const isDone = isOver(outcome);
  const hints = [
    ...words.notes,
    ...(isDone || outcome.isShellReadingKeys ? [] : nextStep(report, isAsync)),
    ...whereTheRestIs(report, shown),
  ];
  return {
    state: report.state,
    evidence: report.evidence,
    ...(isDone ? { exit_code: report.exitCode } : { handle_id: report.commandId }),
    output: shown.text,
    ...(shown.isTruncated ? { output_truncated: true } : {}),
    ...(shown.omitted
      ? { omitted_lines: { from: shown.omitted.fromLine, to: shown.omitted.toLine, bytes: shown.omitted.bytes } }
      : {}),
    ...(shown.fullTextPath === null ? {} : { full_output_file: shown.fullTextPath }),
    terminal_id: report.terminalId,
    cwd: report.cwd,
    duration_ms: Math.round(report.durationMs),
    from_position: shown.fromPosition,
    position: report.endPosition,
    ...(shown.lostBytes > 0 ? { lost_bytes: shown.lostBytes } : {}),
    ...(rewrittenTo === undefined ? {} : { security_rewrite: rewrittenTo }),
    ...changesOf(outcome, report.commandId),
    ...(hints.length === 0 ? {} : { hint: hints.join(" ") }),
  };
}

function changesOf({ changes }: CommandOutcome, id: CommandId): Pick<UnifiedOutput, "changes" | "changed_by"> {
  if (!changes) return {};
  return { changes: changes === "not-yet" ? "changes not determined yet" : describeSummary(changes), changed_by: id };
}

const HINTS = {
  running: "It is still running. Poll with this handle_id, or end it with kill: true.",
  background: "It is running in the background. Poll with this handle_id to see new output.",
  waiting_input: "It waits for input. Answer with this handle_id and `input`.",
  waiting_secret: "It waits for a password, which only a person may type. Tell them, and poll with this handle_id.",
  fullscreen: "A full-screen program is open. Send it keys with `input` (q often ends it), or kill: true.",
} as const;

function nextStep({ state }: CommandReport, isAsync: boolean): string[] {
  if (isAsync) return ["A later reply brings its result; polling with handle_id works too."];
  return state in HINTS ? [HINTS[state as keyof typeof HINTS]] : [];
}

function whereTheRestIs({ commandId, startPosition }: CommandReport, { isTruncated, fromPosition }: RenderedOutput) {
  if (!isTruncated) return [];
  // Lines count from the start of this output.
  const from = fromPosition === startPosition ? "" : ` and from_position ${fromPosition}`;
  return [`terminal_read with handle_id "${commandId}"${from} gives any part of it.`];
}

function ignoredHint(ignored: string[]): string[] {
  return ignored.length === 0 ? [] : [`Ignored unknown parameters: ${ignored.join(", ")}.`];
}

function toFinishedTask({ line, report, output }: FinishedCommand) {
  const { commandId, exitCode, durationMs } = report;
  return { handle_id: commandId, command: line, exit_code: exitCode, output, duration_ms: Math.round(durationMs) };
}
