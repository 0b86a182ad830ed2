import type { TerminalPool, WaitStrategy } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { assertMayUse } from "../terminals/shells/agent-terminals.ts";
import type { TypeAct } from "./act.ts";

/**
 * An agent's keys for a terminal, with who reads them at this moment. A shell at its prompt
 * takes commands, not keys. If nothing reads, nothing is typed: it would go to whatever reads next.
 */
export async function prepareInput(
  terminals: TerminalPool,
  agent: AgentRow,
  { terminalId, text, wait }: { terminalId: TerminalId; text: string; wait: WaitStrategy },
): Promise<TypeAct> {
  const terminal = await terminals.get(terminalId);
  assertMayUse(agent, terminal);
  const runningId = terminal.activity.kind === "busy" ? terminal.activity.commandId : null;
  const reader = await terminals.reader(terminalId);
  switch (reader.kind) {
    case "program":
      // The request itself must not hold a secret; it is refused later in any case.
      return { type: "type", terminalId, text: reader.hidesInput ? "" : text, reader, runningId, wait };
    case "prompt":
      if (runningId !== null) {
        throw new GatewayError(
          "nothing-reads",
          "The shell itself reads single keys here (such as read -n), which cannot be told from its prompt, so only a person " +
            "may press one. Send Ctrl-C to end it, and use a plain read.",
        );
      }
      throw new GatewayError(
        "nothing-reads",
        "The shell is at its prompt: nothing asks. Send it as a command instead.",
      );
    case "nobody":
      throw new GatewayError(
        "nothing-reads",
        "The program does not read its input now. Ask again until its state is waiting_input, or send Ctrl-C to end it.",
      );
    case "unknown":
      throw new GatewayError("nothing-reads", "Nobody can tell who would read this here, so it was not typed.");
  }
}
