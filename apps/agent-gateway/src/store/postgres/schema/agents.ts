import type { IsolationChoice } from "@belay/protocol";
import { pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

export const agents = pgTable("agents", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  profile: text("profile").notNull(),
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: number("created_at").notNull(),
  revokedAt: number("revoked_at"),
  expiresAt: number("expires_at"),
  isolation: text("isolation").$type<IsolationChoice>(),
  maxTerminals: number("max_terminals"),
  toolSettings: text("tool_settings").notNull().default("{}"),
  workspace: text("workspace"),
  ownerId: text("owner_id"),
  machines: text("machines").notNull().default("gateway"),
});

export const freezes = pgTable("freezes", {
  scope: text("scope").primaryKey(),
  at: number("at").notNull(),
  by: text("by").notNull(),
});
