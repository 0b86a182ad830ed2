import type { AgentId, TerminalId } from "@belay/protocol";
import { desc, eq, notInArray, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareOnce } from "../prepare-once.ts";
import { conversationShells } from "../schema.ts";

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
  db.insert(conversationShells)
    .values(row)
    .onConflictDoUpdate({ target: conversationShells.terminalId, set: { conversationId, usedAt } })
    .run();
}

const ofAgent = prepareOnce((db) =>
  db
    .select()
    .from(conversationShells)
    .where(eq(conversationShells.agentId, sql.placeholder("agentId")))
    .orderBy(desc(conversationShells.usedAt))
    .prepare(),
);

/** An agent's shells, most recently used first. */
export async function listConversationShells(db: Db, agentId: AgentId): Promise<ConversationShell[]> {
  return ofAgent(db).all({ agentId }) as ConversationShell[];
}

export async function deleteConversationShell(db: Db, terminalId: TerminalId): Promise<void> {
  db.delete(conversationShells).where(eq(conversationShells.terminalId, terminalId)).run();
}

/** After a restart: those of terminals that are gone. */
export async function deleteOtherConversationShells(db: Db, kept: TerminalId[]): Promise<void> {
  db.delete(conversationShells).where(notInArray(conversationShells.terminalId, kept)).run();
}
