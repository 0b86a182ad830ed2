import type { PoolEvent } from "@belay/core";
import type { CommandId, TerminalId, TerminalInfo } from "@belay/protocol";

interface Known {
  /** Whether this gateway started the terminal on the machine that sent the event. */
  isThere: (id: TerminalId) => boolean;
  /** The terminals that the machine has. */
  terminals: () => readonly TerminalInfo[];
  /** Whether the question about this connection came from the machine. */
  hasAsked: (id: CommandId) => boolean;
}

/** Whether an event of a machine is about what runs there: it can say nothing about terminals and agents elsewhere. */
export function isOwnEvent(event: PoolEvent, { isThere, terminals, hasAsked }: Known): boolean {
  switch (event.type) {
    case "hostLost":
      return true;
    case "commandFinished":
      return isThere(event.report.terminalId);
    case "gitConfigRestored":
      return event.restored.terminalIds.every(isThere);
    case "connectionAsked": {
      const { terminalId, agentId } = event.connection;
      const isAgents = terminals().some((terminal) => terminal.agentId === agentId && isThere(terminal.id));
      // Its program may have ended before it was known in which of the agent's terminals it ran.
      return isAgents && (terminalId === null || isThere(terminalId));
    }
    case "connectionGone":
      return hasAsked(event.id);
    default:
      return isThere(event.terminal.id);
  }
}
