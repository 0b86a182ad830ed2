import type { AgentId, TerminalId } from "@belay/protocol";
import { and, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { agentShares } from "../schema.ts";

export interface AgentShare {
  terminalId: TerminalId;
  agentId: AgentId;
  /** JSON of the actor. */
  by: string;
  at: number;
}

export async function insertAgentShare(db: Db, share: AgentShare): Promise<void> {
  db.insert(agentShares).values(share).onConflictDoNothing().run();
}

export async function listAgentShares(db: Db): Promise<AgentShare[]> {
  return db.select().from(agentShares).all() as AgentShare[];
}

export async function deleteAgentShare(
  db: Db,
  { terminalId, agentId }: Pick<AgentShare, "terminalId" | "agentId">,
): Promise<void> {
  db.delete(agentShares)
    .where(and(eq(agentShares.terminalId, terminalId), eq(agentShares.agentId, agentId)))
    .run();
}

export async function deleteAgentSharesOf(db: Db, terminalId: TerminalId): Promise<void> {
  db.delete(agentShares).where(eq(agentShares.terminalId, terminalId)).run();
}
