import type { CommandId } from "@belay/protocol";
import type { Act } from "../../commands/act.ts";
import { LONGEST_HOLD_MS } from "../../commands/commands.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";
import type { Origin } from "../../commands/submit-command.ts";
import { newId } from "../../store/new-id.ts";
import type { ToolCall } from "./tool-call.ts";

interface Submission {
  act: Act;
  origin: Origin;
  commandId?: CommandId;
  /** The longest that the call waits; the command continues without it. */
  limitMs?: number;
  /** Called when it has run or never will. */
  onSettled?: () => void;
}

/** Submits an agent's act, and holds its call until that is done or the time is up. */
export function submitAndHold(
  call: ToolCall,
  { act, origin, commandId = newId("cmd"), limitMs = LONGEST_HOLD_MS, onSettled }: Submission,
): Promise<CommandOutcome> {
  const request = { commandId, agent: call.agent, origin, act };
  return call.hold(limitMs, (hold) => call.gateway.commands.submit(request, hold, onSettled));
}
