import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { ToolHost } from "./tool-call.ts";

export interface NamedSession {
  terminalId: TerminalId;
  /** Null where it has ended, or where a person has to let it start first. */
  open: TerminalInfo | null;
}

/** The terminal that this agent knows by a name; one that ended is known until the gateway starts again. */
export async function findNamedSession(name: string, { agent, gateway, desk }: ToolHost): Promise<NamedSession | null> {
  const all = await gateway.terminals.list();
  const open = all.find((terminal) => terminal.agentId === agent.id && terminal.name === name);
  if (open) return { terminalId: open.id, open };
  const terminalId = desk.sessionTerminal(name);
  return terminalId ? { terminalId, open: null } : null;
}
