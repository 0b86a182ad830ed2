import type { TerminalId } from "@belay/protocol";
import { describeOutcome, type OutcomeWords } from "../../commands/describe-outcome.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";
import { AT_ONCE, pollCommand } from "./poll-command.ts";
import type { ToolCall } from "./tool-call.ts";

/**
 * The state of a terminal that has not started: a person has to approve it first, or it was refused.
 * Null if this agent never requested such a terminal, or if it existed and is gone.
 */
export async function findPendingStart(
  terminalId: TerminalId,
  call: ToolCall,
): Promise<{ outcome: CommandOutcome; words: OutcomeWords } | null> {
  const start = await call.gateway.commands.latestIn(call.agent, terminalId);
  if (!start) return null;
  const outcome = await pollCommand(call, start.id, AT_ONCE, { signal: call.signal, maxMs: 0 });
  const words = describeOutcome(outcome, { text: start.line, url: call.gateway.url() });
  return outcome.status === "waiting" || words.isNotRun ? { outcome, words } : null;
}
