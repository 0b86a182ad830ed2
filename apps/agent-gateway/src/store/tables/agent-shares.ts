import type { AgentId, TerminalId } from "@belay/protocol";
import { and, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { change, queriesOf, rowsOf } from "../queries.ts";

export interface AgentShare {
  terminalId: TerminalId;
  agentId: AgentId;
  /** JSON of the actor. */
  by: string;
  at: number;
}

export async function insertAgentShare(db: Db, share: AgentShare): Promise<void> {
  const { orm, agentShares } = queriesOf(db);
  await change(orm.insert(agentShares).values(share).onConflictDoNothing());
}

export async function listAgentShares(db: Db): Promise<AgentShare[]> {
  const { orm, agentShares } = queriesOf(db);
  return (await rowsOf(orm.select().from(agentShares))) as AgentShare[];
}

export async function deleteAgentShare(
  db: Db,
  { terminalId, agentId }: Pick<AgentShare, "terminalId" | "agentId">,
): Promise<void> {
  const { orm, agentShares } = queriesOf(db);
  const isIt = and(eq(agentShares.terminalId, terminalId), eq(agentShares.agentId, agentId));
  await change(orm.delete(agentShares).where(isIt));
}

export async function deleteAgentSharesOf(db: Db, terminalId: TerminalId): Promise<void> {
  const { orm, agentShares } = queriesOf(db);
  await change(orm.delete(agentShares).where(eq(agentShares.terminalId, terminalId)));
}
