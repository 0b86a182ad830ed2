import type { WaitStrategy } from "@belay/core";
import type { CommandId } from "@belay/protocol";
import type { CommandView, Hold } from "../../commands/commands.ts";
import type { ToolHost } from "./tool-call.ts";

/** Looks at nothing but what is there already. */
export const AT_ONCE: WaitStrategy = { type: "idle", idleMs: null, timeoutMs: 0 };

/** How a command stands. Whoever asks after something that was typed is told of the program that read it. */
export async function pollCommand(
  { agent, gateway }: ToolHost,
  id: CommandId,
  wait: WaitStrategy,
  hold: Hold,
): Promise<CommandView> {
  const view = await gateway.commands.poll(agent, id, wait, hold);
  const isTyped = view.status === "ran" && view.report.commandId !== id;
  return isTyped ? gateway.commands.poll(agent, view.report.commandId, wait, hold) : view;
}
