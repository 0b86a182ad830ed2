import { type CommandId, CommandState, Evidence } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CommandDescription } from "../../../commands/describe-command.ts";

export const UnifiedOutput = z.object({
  state: CommandState.optional(),
  evidence: Evidence.optional().describe("How sure the state is; `silence` is only a guess."),
  exit_code: z.int().nullable().optional().describe("Present once the command is done; null where it is not known."),
  handle_id: z.string().optional().describe("Present while it is not done: send it back to ask again."),
  output: z.string().describe("What it printed since you last asked."),
  output_truncated: z.boolean().optional(),
  omitted_lines: z
    .object({ from: z.int(), to: z.int(), bytes: z.int() })
    .optional()
    .describe("What `output` leaves out; terminal_read with from_line and to_line gives it."),
  full_output_file: z.string().optional().describe("A file on Belay's machine with all of it."),
  terminal_id: z.string().optional(),
  cwd: z.string().optional(),
  duration_ms: z.number().optional(),
  from_position: z.int().optional().describe("Byte position where `output` begins."),
  position: z.int().optional().describe("Byte position where `output` ends; what comes next begins here."),
  lost_bytes: z.int().optional().describe("Bytes of it that are kept nowhere any more."),
  approval_id: z.string().optional(),
  security_blocked: z.boolean().optional(),
  security_rewrite: z.string().optional().describe("The safer command that was run instead, or that you can run."),
  rule: z.string().optional().describe("The rule that refused it."),
  refused_part: z.string().optional().describe("The part of the text that it was refused for."),
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
    .describe("Async commands that have ended since your last call."),
});
type UnifiedOutput = z.infer<typeof UnifiedOutput>;

interface About {
  /** The call and what it came to, for a person who reads along (D12). */
  display: { call: string; result: string };
  /** It was started for nobody to watch. */
  isAsync: boolean;
  /** What was to be typed was a password: the program waits for a person. */
  waitsForSecret?: CommandId;
  finished: { line: string; described: CommandDescription }[];
}

export function toReply(described: CommandDescription, about: About): CallToolResult {
  const finished = about.finished.flatMap(toFinishedTask);
  const output: UnifiedOutput = {
    ...toOutput(described, about),
    ...(finished.length > 0 ? { finished_tasks: finished } : {}),
  };
  return {
    content: [{ type: "text", text: toText(output) }],
    structuredContent: output,
    isError: described.kind === "not-run",
    _meta: { "belay/display": about.display },
  };
}

function toOutput(described: CommandDescription, { isAsync, waitsForSecret }: About): UnifiedOutput {
  switch (described.kind) {
    case "not-run":
      return {
        ...(waitsForSecret ? { state: "waiting_secret", handle_id: waitsForSecret } : {}),
        output: described.message,
        ...(described.isBlocked ? { security_blocked: true } : {}),
        ...(described.rule === null ? {} : { rule: described.rule }),
        ...(described.part === null ? {} : { refused_part: described.part }),
        ...(described.saferWay === null
          ? {}
          : { security_rewrite: described.saferWay, hint: `Instead: ${described.saferWay}` }),
        ...(described.approvalId === null ? {} : { approval_id: described.approvalId }),
        ...(waitsForSecret ? { hint: HINTS.waiting_secret } : {}),
      };
    case "waiting":
      return {
        state: "waiting_approval",
        output: described.message,
        handle_id: described.approval.commandId,
        approval_id: described.approval.id,
        hint: `Ask again with this handle_id alone. ${described.hint}`,
      };
    case "running":
      return { state: "running", output: "", handle_id: described.commandId, hint: HINTS.running };
    case "spawned":
      return { state: "background", output: "", terminal_id: described.terminal.id };
    case "done":
      return { state: "completed", output: described.shown.text, exit_code: described.result.exitCode };
    case "ran":
      return toRan(described, isAsync);
  }
}

function toRan(described: Extract<CommandDescription, { kind: "ran" }>, isAsync: boolean): UnifiedOutput {
  const { report, shown, isDone } = described;
  const hint = hintFor(described, isAsync);
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
    duration_ms: report.durationMs,
    from_position: described.fromPosition,
    position: report.endPosition,
    ...(shown.lostBytes > 0 ? { lost_bytes: shown.lostBytes } : {}),
    ...(described.rewrittenTo === null ? {} : { security_rewrite: described.rewrittenTo }),
    ...(hint === null ? {} : { hint }),
  };
}

const HINTS = {
  running: "It still runs. Ask again with this handle_id, or end it with kill: true.",
  background: "It goes on in the background. Ask again with this handle_id to see what is new.",
  waiting_input: "It waits for input. Answer with this handle_id and `input`.",
  waiting_secret:
    "It waits for a password, which only a person may type. Tell them, and ask again with this handle_id.",
  fullscreen: "A full-screen program is open. Send it keys with `input` (q often ends it), or kill: true.",
} as const;

function hintFor(
  {
    report,
    isDone,
    shown,
    rewrittenTo,
    keptBackCharacters,
    fromPosition,
  }: Extract<CommandDescription, { kind: "ran" }>,
  isAsync: boolean,
) {
  const hints: string[] = [];
  if (rewrittenTo !== null) hints.push("The policy ran a safer form of it: see security_rewrite.");
  if (keptBackCharacters > 0) {
    hints.push(`The last ${keptBackCharacters} characters were not typed: nobody read them any more.`);
  }
  if (isAsync && !isDone)
    hints.push("You are described in a later reply when it is done. Asking with handle_id also works.");
  else if (!isDone && report.state in HINTS) hints.push(HINTS[report.state as keyof typeof HINTS]);
  if (shown.isTruncated) {
    // Lines count from where this output began.
    const from = fromPosition === report.startPosition ? "" : ` and from_position ${fromPosition}`;
    hints.push(`terminal_read with handle_id "${report.commandId}"${from} gives any part of it.`);
  }
  return hints.length === 0 ? null : hints.join(" ");
}

function toFinishedTask({ line, described }: About["finished"][number]) {
  if (described.kind !== "ran") return [];
  const { commandId, exitCode, durationMs } = described.report;
  return [
    { handle_id: commandId, command: line, exit_code: exitCode, output: described.shown.text, duration_ms: durationMs },
  ];
}

/** The same for a client that shows text alone. */
function toText(output: UnifiedOutput): string {
  const status = [
    output.state,
    output.exit_code === undefined ? undefined : `exit code ${output.exit_code ?? "unknown"}`,
    output.handle_id && `handle_id ${output.handle_id}`,
    output.duration_ms === undefined ? undefined : `${(output.duration_ms / 1000).toFixed(1)} s`,
    output.cwd && `in ${output.cwd}`,
    output.position === undefined ? undefined : `position ${output.position}`,
  ];
  const lines = [output.output];
  if (output.state) lines.push(`[${status.filter((part) => part !== undefined).join(", ")}]`);
  if (output.rule) lines.push(`Rule: ${output.rule}`);
  if (output.refused_part) lines.push(`Because of: ${output.refused_part}`);
  if (output.hint) lines.push(output.hint);
  for (const task of output.finished_tasks ?? []) {
    lines.push(`Finished meanwhile: ${task.command} (${task.handle_id}), exit code ${task.exit_code ?? "unknown"}`);
    lines.push(task.output);
  }
  return lines.filter((line) => line !== "").join("\n");
}
