import type { TerminalPool } from "@belay/core";
import type { TerminalInfo } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { assertMayUse } from "./shells/agent-terminals.ts";

/** An agent ends one of its own terminals, with everything running in it. */
export async function endTerminal(
  { audit, terminals }: { audit: AuditLog; terminals: TerminalPool },
  agent: AgentRow,
  terminal: TerminalInfo,
): Promise<void> {
  assertMayUse(agent, terminal);
  await audit.append({ type: "terminal.killed", actor: { type: "agent", id: agent.id }, terminalId: terminal.id });
  await terminals.kill(terminal.id, { reason: "killed" });
}
