import type { WaitStrategy } from "@belay/core";
import type { CommandId } from "@belay/protocol";
import type { Hold } from "../../commands/commands.ts";
import type { CommandOutcome } from "../../commands/outcome.ts";
import type { ToolHost } from "./tool-call.ts";

/** Returns at once with the current state. */
export const AT_ONCE: WaitStrategy = { type: "idle", idleMs: null, timeoutMs: 0 };

/** The state of a command. For typed input, the state of the program that read it. */
export async function pollCommand(
  { agent, gateway }: ToolHost,
  id: CommandId,
  wait: WaitStrategy,
  hold: Hold,
): Promise<CommandOutcome> {
  const outcome = await gateway.commands.poll(agent, id, wait, hold);
  const isTyped = outcome.status === "ran" && outcome.report.commandId !== id;
  return isTyped ? gateway.commands.poll(agent, outcome.report.commandId, wait, hold) : outcome;
}
