import type { IsolationChoice } from "@belay/protocol";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const agents = sqliteTable("agents", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  profile: text("profile").notNull(),
  /** SHA-256 of the token: the token itself is shown once and never stored. */
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: integer("created_at").notNull(),
  revokedAt: integer("revoked_at"),
  /** Null: valid until revoked. */
  expiresAt: integer("expires_at"),
  /** Null: set by the profile. */
  isolation: text("isolation").$type<IsolationChoice>(),
  maxTerminals: integer("max_terminals"),
  /** JSON of the agent's own tool settings (C9). */
  toolSettings: text("tool_settings").notNull().default("{}"),
  /** Where its shells start and its edits need no approval; null: the gateway's own workspace. */
  workspace: text("workspace"),
  /** The person it acts for; null: no one in particular. */
  ownerId: text("owner_id"),
  /** The machines it may use, separated by commas; its shells start on the first. */
  machines: text("machines").notNull().default("gateway"),
});

/** Frozen agents: one agent, or `*` for all. */
export const freezes = sqliteTable("freezes", {
  scope: text("scope").primaryKey(),
  at: integer("at").notNull(),
  by: text("by").notNull(),
});
