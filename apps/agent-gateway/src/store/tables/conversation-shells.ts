import type { AgentId, TerminalId } from "@belay/protocol";
import { and, desc, eq, notInArray, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareRows } from "../prepare-once.ts";
import { change, queriesOf } from "../queries.ts";

export interface ConversationShell {
  terminalId: TerminalId;
  agentId: AgentId;
  /** Empty: shared by all calls without a conversation. */
  conversationId: string;
  usedAt: number;
}

/** Stores that a conversation uses a shell, which becomes its default. */
export async function saveConversationShell(db: Db, row: ConversationShell): Promise<void> {
  const { conversationId, usedAt } = row;
  const { orm, conversationShells, gateway } = queriesOf(db);
  const onConflict = { target: conversationShells.terminalId, set: { conversationId, usedAt } };
  await change(
    orm
      .insert(conversationShells)
      .values({ ...row, gateway })
      .onConflictDoUpdate(onConflict),
  );
}

const ofAgent = prepareRows(({ orm, conversationShells }) =>
  orm
    .select({
      terminalId: conversationShells.terminalId,
      agentId: conversationShells.agentId,
      conversationId: conversationShells.conversationId,
      usedAt: conversationShells.usedAt,
    })
    .from(conversationShells)
    .where(eq(conversationShells.agentId, sql.placeholder("agentId")))
    .orderBy(desc(conversationShells.usedAt)),
);

/** An agent's shells, most recently used first. */
export async function listConversationShells(db: Db, agentId: AgentId): Promise<ConversationShell[]> {
  return (await ofAgent.rows(db, { agentId })) as ConversationShell[];
}

export async function deleteConversationShell(db: Db, terminalId: TerminalId): Promise<void> {
  const { orm, conversationShells } = queriesOf(db);
  await change(orm.delete(conversationShells).where(eq(conversationShells.terminalId, terminalId)));
}

/** After a restart: those of this gateway's terminals that are gone. */
export async function deleteOtherConversationShells(db: Db, kept: TerminalId[]): Promise<void> {
  const { orm, conversationShells, gateway } = queriesOf(db);
  const isGone = and(eq(conversationShells.gateway, gateway), notInArray(conversationShells.terminalId, kept));
  await change(orm.delete(conversationShells).where(isGone));
}
