import { CommandState } from "@belay/protocol";
import { z } from "zod";
import type { OutcomeWords } from "../../../commands/describe-outcome.ts";
import { type CommandOutcome, isOver } from "../../../commands/outcome.ts";
import type { RenderedOutput } from "../../../commands/render-outcome.ts";

export const DeepOutput = z.object({
  session_id: z.string(),
  output: z.string(),
  exitCode: z.int().nullable().describe("Null while it runs, or if unknown."),
  success: z.boolean().describe("For execute: it finished with exit code 0. Otherwise: the call worked."),
  state: CommandState.optional(),
  cwd: z.string().optional(),
  duration_ms: z.number().optional(),
  position: z.int().optional(),
  output_truncated: z.boolean().optional(),
  full_output_file: z.string().optional(),
  lost_bytes: z.int().optional().describe("Printed bytes that are lost."),
  approval_id: z.string().optional(),
  rule: z.string().optional(),
  refused_part: z.string().optional(),
  hint: z.string().optional(),
});
type Output = z.infer<typeof DeepOutput>;

export function toDeepReply(session: string, outcome: CommandOutcome, words: OutcomeWords, shown?: RenderedOutput) {
  const output = toOutput(session, outcome, words, shown);
  const status = output.state ? `[${output.state}, exit code ${output.exitCode ?? "not known yet"}]` : "";
  const rule = output.rule ? `Rule: ${output.rule}` : "";
  const text = [output.output, status, rule, output.hint ?? ""].filter((part) => part !== "").join("\n");
  return { content: [{ type: "text" as const, text }], structuredContent: output, isError: words.isNotRun };
}

function toOutput(session_id: string, outcome: CommandOutcome, words: OutcomeWords, shown?: RenderedOutput): Output {
  const bare = { session_id, exitCode: null, success: false } as const;
  switch (outcome.status) {
    case "waiting":
      return {
        ...bare,
        output: words.message ?? "",
        state: "waiting_approval",
        approval_id: outcome.approval.id,
        hint: `Read until its state changes. ${words.notes.join(" ")}`,
      };
    case "running":
      return { ...bare, output: "", state: "running", hint: NOT_DONE };
    case "spawned": {
      const { cwd } = outcome.terminal;
      return { ...bare, output: `Session ${session_id} is open in ${cwd}.`, success: true, cwd };
    }
    case "done":
      return {
        ...bare,
        output: shown?.text ?? "",
        exitCode: outcome.result.exitCode,
        success: outcome.result.ok,
        ...(words.notes.length === 0 ? {} : { hint: words.notes.join(" ") }),
      };
    case "ran":
      return toRan(session_id, outcome, words, shown);
    default:
      return {
        ...bare,
        output: words.message ?? "",
        ...(words.rule === null ? {} : { rule: words.rule }),
        ...(words.part === null ? {} : { refused_part: words.part }),
        ...(words.saferWay === null ? {} : { hint: `Instead: ${words.saferWay}` }),
        ...(words.approvalId === null ? {} : { approval_id: words.approvalId }),
      };
  }
}

function toRan(
  session_id: string,
  outcome: Extract<CommandOutcome, { status: "ran" }>,
  { notes }: OutcomeWords,
  shown?: RenderedOutput,
): Output {
  const { report } = outcome;
  const isDone = isOver(outcome);
  const next = isDone || outcome.isShellReadingKeys ? [] : [report.state === "waiting_secret" ? ASKS_SECRET : NOT_DONE];
  const hint = [...notes, ...next].join(" ");
  return {
    session_id,
    output: shown?.text ?? "",
    exitCode: isDone ? report.exitCode : null,
    success: isDone && report.exitCode === 0,
    state: report.state,
    cwd: report.cwd,
    duration_ms: Math.round(report.durationMs),
    position: report.endPosition,
    ...(shown?.isTruncated ? { output_truncated: true } : {}),
    ...(shown?.fullTextPath ? { full_output_file: shown.fullTextPath } : {}),
    ...(shown && shown.lostBytes > 0 ? { lost_bytes: shown.lostBytes } : {}),
    ...(hint === "" ? {} : { hint }),
  };
}

const NOT_DONE = "It is not done. Read it again, answer with execute if it waits for input, or terminate the session.";
const ASKS_SECRET = "It asks for a password, which only a person may type. Tell them, and read it again.";
