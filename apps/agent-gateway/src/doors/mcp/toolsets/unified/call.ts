import type { CallToShow } from "@belay/core";
import type { CommandId } from "@belay/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { describeOutcome } from "../../../../commands/describe-outcome.ts";
import { type CommandOutcome, isOver } from "../../../../commands/outcome.ts";
import { renderOutcome } from "../../../../commands/render-outcome.ts";
import type { FinishedTask } from "../../conversation-memory.ts";
import type { ToolCall } from "../../tool-call.ts";
import { displayOf } from "./display.ts";
import { type FinishedCommand, toReply } from "./reply.ts";
import { summaryLimits, unifiedDefaults } from "./wait.ts";

/** Commands that finished between calls are reported briefly: their output can be read by handle. */
const FINISHED_CHARS = 1_000;

interface About {
  /** The call, for people who follow along (D12). */
  shown: CallToShow;
  /** The command of the call, and its line. */
  commandId: CommandId;
  line: string;
  /** The judged text: the line, or the keys. */
  text: string;
  isAsync?: boolean;
  waitsForSecret?: boolean;
  ignored?: string[];
  /** Notes about the shell. */
  notes?: string[];
  maxChars?: number | undefined;
}

/** Reports a command's state and new output, and what else has finished since the last call. */
export async function replyToCall(outcome: CommandOutcome, call: ToolCall, about: About): Promise<CallToolResult> {
  const { memory, gateway } = call;
  const {
    shown: called,
    commandId,
    line,
    text,
    isAsync = false,
    waitsForSecret = false,
    ignored = [],
    notes = [],
  } = about;
  const ranId = outcome.status === "ran" ? outcome.report.commandId : commandId;
  const words = describeOutcome(outcome, { text, url: gateway.url() });
  const shown = await renderOutcome(outcome, gateway.outputTexts, {
    agentId: call.agent.id,
    limits: summaryLimits(call, about.maxChars),
    fromPosition: memory.readFrom(ranId),
  });
  if (outcome.status === "ran") memory.hasRead(ranId, outcome.report.endPosition);
  if (isOver(outcome) && !waitsForSecret) memory.hasHeardOf(ranId);
  else memory.startedTask(ranId, { line, isAsync });
  const finished = await Promise.all(memory.takeFinishedTasks().map((task) => renderFinished(task, call)));
  const display = displayOf(called, { outcome, words, shown }, text, unifiedDefaults(call));
  return toReply(
    { outcome, words, shown },
    {
      display,
      isAsync,
      commandId,
      waitsForSecret,
      finished,
      ignored,
      notes,
      isShared: call.conversation.id === null,
    },
  );
}

async function renderFinished({ line, report, isAsync }: FinishedTask, call: ToolCall): Promise<FinishedCommand> {
  const limits = summaryLimits(call, isAsync ? undefined : FINISHED_CHARS);
  const fromPosition = call.memory.readFrom(report.commandId);
  const { text } = await renderOutcome({ status: "ran", report }, call.gateway.outputTexts, {
    agentId: call.agent.id,
    limits,
    fromPosition,
  });
  return { line, report, output: text };
}
