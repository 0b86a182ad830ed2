import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Every version of the policy, newest last. */
export const policyVersions = sqliteTable("policy_versions", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  version: text("version").notNull(),
  /** Null: there was no file, and the defaults applied. */
  text: text("text"),
  at: integer("at").notNull(),
  /** JSON of the actor. */
  author: text("author").notNull(),
  note: text("note").notNull(),
});

/** Rules proposed by people who may not change the policy themselves. */
export const policyProposals = sqliteTable("policy_proposals", {
  id: text("id").primaryKey(),
  approvalId: text("approval_id").notNull(),
  /** JSON of the rules. */
  rules: text("rules").notNull(),
  author: text("author").notNull(),
  at: integer("at").notNull(),
  status: text("status", { enum: ["open", "accepted", "rejected"] }).notNull(),
  settledBy: text("settled_by"),
  settledAt: integer("settled_at"),
});
