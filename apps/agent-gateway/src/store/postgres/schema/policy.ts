import { bigserial, pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

export const policyVersions = pgTable("policy_versions", {
  seq: bigserial("seq", { mode: "number" }).primaryKey(),
  version: text("version").notNull(),
  text: text("text"),
  at: number("at").notNull(),
  author: text("author").notNull(),
  note: text("note").notNull(),
});

export const policyProposals = pgTable("policy_proposals", {
  id: text("id").primaryKey(),
  approvalId: text("approval_id").notNull(),
  rules: text("rules").notNull(),
  author: text("author").notNull(),
  at: number("at").notNull(),
  status: text("status", { enum: ["open", "accepted", "rejected"] }).notNull(),
  settledBy: text("settled_by"),
  settledAt: number("settled_at"),
});
