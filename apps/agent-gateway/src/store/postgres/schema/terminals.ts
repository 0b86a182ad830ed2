import { bigserial, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

export const conversationShells = pgTable(
  "conversation_shells",
  {
    terminalId: text("terminal_id").primaryKey(),
    agentId: text("agent_id").notNull(),
    conversationId: text("conversation_id").notNull(),
    usedAt: number("used_at").notNull(),
    gateway: number("gateway").notNull().default(0),
  },
  (table) => [index("conversation_shells_of").on(table.agentId)],
);

export const agentShares = pgTable(
  "agent_shares",
  {
    terminalId: text("terminal_id").notNull(),
    agentId: text("agent_id").notNull(),
    by: text("by").notNull(),
    at: number("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.terminalId, table.agentId] })],
);

export const shareLinks = pgTable(
  "share_links",
  {
    id: text("id").primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    terminalId: text("terminal_id").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    revokedAt: number("revoked_at"),
  },
  (table) => [index("share_links_terminal").on(table.terminalId)],
);

export const shellMemories = pgTable("shell_memories", {
  terminalId: text("terminal_id").primaryKey(),
  memory: text("memory").notNull(),
  gateway: number("gateway").notNull().default(0),
});

export const writtenFiles = pgTable(
  "written_files",
  {
    agentId: text("agent_id").notNull(),
    workspace: text("workspace").notNull(),
    kind: text("kind", { enum: ["file", "link"] }).notNull(),
    path: text("path").notNull(),
    known: text("known").notNull(),
    /** The order in which they were written. */
    nr: bigserial("nr", { mode: "number" }).primaryKey(),
  },
  // Not all columns: a row of an index has at most 2,700 bytes, and paths can be longer.
  (table) => [index("written_files_of").on(table.agentId)],
);
