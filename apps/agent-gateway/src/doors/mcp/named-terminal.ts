import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { ToolHost } from "./tool-call.ts";

export interface NamedTerminal {
  terminalId: TerminalId;
  /** Null if it has ended, or a person has to approve its start first. */
  open: TerminalInfo | null;
}

/** The terminal with this agent's name for it; an ended one is known until the gateway restarts. */
export async function findNamedTerminal(
  name: string,
  { agent, gateway, memory }: ToolHost,
): Promise<NamedTerminal | null> {
  const all = await gateway.terminals.list();
  const open = all.find((terminal) => terminal.agentId === agent.id && terminal.name === name);
  if (open) return { terminalId: open.id, open };
  const terminalId = memory.terminalNamed(name);
  return terminalId ? { terminalId, open: null } : null;
}
