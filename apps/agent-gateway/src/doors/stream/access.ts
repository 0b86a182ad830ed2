import { CoreError } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { Gateway } from "../../gateway.ts";
import { type Caller, hasRole } from "../../people/caller.ts";

/** People may watch every terminal, an agent those it may read, a guest the one that was shared. */
export function canWatch(gateway: Gateway, caller: Caller, terminal: TerminalInfo): boolean {
  if (caller.type === "agent") return gateway.sharedTerminals.canRead(caller.agent, terminal);
  if (caller.type === "guest") return terminal.id === caller.link.terminalId;
  return hasRole(caller, "viewer");
}

/** The terminal, or null if it does not exist or this caller may not know of it. */
export async function findWatchable(gateway: Gateway, caller: Caller, id: TerminalId): Promise<TerminalInfo | null> {
  const terminal = await gateway.terminals.get(id).catch(nullIfNotFound);
  return terminal && canWatch(gateway, caller, terminal) ? terminal : null;
}

/** The answer of a call about a terminal that does not exist. Other failures are thrown. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof CoreError && error.code === "terminal-not-found") return null;
  throw error;
}

/** Only operators type, and only into terminals that a person holds (B9). */
export function canType(caller: Caller, terminal: TerminalInfo): boolean {
  return terminal.owner === "user" && terminal.state.status === "running" && hasRole(caller, "operator");
}
