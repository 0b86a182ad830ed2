import type { TerminalId } from "@belay/protocol";
import { type CommandDescription, describeCommand, type NotRun } from "../../commands/describe-command.ts";
import { AT_ONCE, pollCommand } from "./poll-command.ts";
import type { ToolCall } from "./tool-call.ts";

/** Nothing of these texts is cut: they say why something was not started. */
export const NO_LIMITS = { maxChars: 10_000, previewChars: 10_000, maxLineChars: 10_000 };

/**
 * How the start of a terminal stands that is not there: a person has to answer first, or it was refused.
 * Null where this agent never asked for such a terminal, or where it was there and is gone.
 */
export async function findPendingStart(
  terminalId: TerminalId,
  call: ToolCall,
): Promise<Extract<CommandDescription, { kind: "waiting" }> | NotRun | null> {
  const start = await call.gateway.commands.latestIn(call.agent, terminalId);
  if (!start) return null;
  const view = await pollCommand(call, start.id, AT_ONCE, { signal: call.signal, maxMs: 0 });
  const described = await describeCommand(view, call.gateway, { limits: NO_LIMITS, text: start.line });
  return described.kind === "waiting" || described.kind === "not-run" ? described : null;
}
