import type { TerminalPool } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { assertMayUse } from "./shells/agent-terminals.ts";
import type { SharedTerminals } from "./watching/shared.ts";

/** An agent hands one of its terminals to a person, for good (B6). Idempotent. */
export async function handOverTerminal(
  { audit, sharedTerminals, terminals }: { audit: AuditLog; sharedTerminals: SharedTerminals; terminals: TerminalPool },
  agent: AgentRow,
  id: TerminalId,
): Promise<TerminalInfo> {
  const terminal = await sharedTerminals.readable(agent, id);
  if (terminal.agentId === agent.id && terminal.owner === "user") return terminal;
  assertMayUse(agent, terminal);
  await audit.append({ type: "terminal.promoted", actor: { type: "agent", id: agent.id }, terminalId: id });
  return terminals.promote(id);
}
