import type { TerminalInfo } from "@belay/protocol";
import { type Caller, hasRole } from "../caller.ts";

/** People watch everything; an agent watches its own. */
export function canWatch(caller: Caller, terminal: TerminalInfo): boolean {
  if (caller.type === "agent") return terminal.agentId === caller.agent.id;
  return hasRole(caller, "viewer");
}

/** Only operators type, and only into terminals that a person holds (B9). */
export function canType(caller: Caller, terminal: TerminalInfo): boolean {
  return terminal.owner === "user" && terminal.state.status === "running" && hasRole(caller, "operator");
}
