import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The shells of each conversation; the one used last is the default. */
export const conversationShells = sqliteTable(
  "conversation_shells",
  {
    terminalId: text("terminal_id").primaryKey(),
    agentId: text("agent_id").notNull(),
    /** Empty: shared by all calls without a conversation. */
    conversationId: text("conversation_id").notNull(),
    usedAt: integer("used_at").notNull(),
    gateway: integer("gateway").notNull().default(0),
  },
  (table) => [index("conversation_shells_of").on(table.agentId, table.conversationId)],
);

/** A person's terminals that an agent may read. */
export const agentShares = sqliteTable(
  "agent_shares",
  {
    terminalId: text("terminal_id").notNull(),
    agentId: text("agent_id").notNull(),
    /** JSON of the actor. */
    by: text("by").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.terminalId, table.agentId] })],
);

/** Links with which people without an account can watch one terminal for a while. */
export const shareLinks = sqliteTable(
  "share_links",
  {
    id: text("id").primaryKey(),
    /** SHA-256 of the token: the link itself is shown once and never stored. */
    tokenHash: text("token_hash").notNull().unique(),
    terminalId: text("terminal_id").notNull(),
    /** JSON of the actor. */
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("share_links_terminal").on(table.terminalId)],
);

/** What earlier commands defined in a terminal's shell; later commands are judged with it. */
export const shellMemories = sqliteTable("shell_memories", {
  terminalId: text("terminal_id").primaryKey(),
  memory: text("memory").notNull(),
  gateway: integer("gateway").notNull().default(0),
});

/** Files and links that an agent made in a workspace, in any of its terminals; later commands are judged with them. */
export const writtenFiles = sqliteTable(
  "written_files",
  {
    agentId: text("agent_id").notNull(),
    workspace: text("workspace").notNull(),
    kind: text("kind", { enum: ["file", "link"] }).notNull(),
    path: text("path").notNull(),
    /** JSON of what is known about the file, or the link's target. */
    known: text("known").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.workspace, table.kind, table.path] })],
);
