import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const approvals = sqliteTable(
  "approvals",
  {
    id: text("id").primaryKey(),
    commandId: text("command_id").notNull(),
    agentId: text("agent_id").notNull(),
    terminalId: text("terminal_id"),
    text: text("text").notNull(),
    cwd: text("cwd").notNull(),
    policyVersion: text("policy_version").notNull(),
    /** JSON of everything else that it is bound to. */
    binding: text("binding").notNull().default("{}"),
    verdict: text("verdict").notNull(),
    /** JSON of the roles that may answer. */
    approvers: text("approvers").notNull().default('["operator","admin"]'),
    approversNeeded: integer("approvers_needed").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    status: text("status", { enum: ["pending", "approved", "denied", "expired", "withdrawn"] }).notNull(),
    state: text("state").notNull(),
    /** When the webhooks were told that it waits, and when that it was still unanswered. */
    toldAt: integer("told_at"),
    passedOnAt: integer("passed_on_at"),
  },
  (table) => [index("approvals_status").on(table.status), index("approvals_command").on(table.commandId)],
);

/** The votes for an approval that needs more than one. */
export const approvalVotes = sqliteTable(
  "approval_votes",
  {
    approvalId: text("approval_id")
      .notNull()
      .references(() => approvals.id),
    personId: text("person_id").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.approvalId, table.personId] })],
);

/** An approval that covers later runs of the same text by the same agent in the same folder under the same policy. */
export const grants = sqliteTable(
  "grants",
  {
    approvalId: text("approval_id")
      .primaryKey()
      .references(() => approvals.id),
    agentId: text("agent_id").notNull(),
    text: text("text").notNull(),
    cwd: text("cwd").notNull(),
    policyVersion: text("policy_version").notNull(),
    binding: text("binding").notNull().default("{}"),
    /** Null: in every terminal of the agent. */
    terminalId: text("terminal_id"),
    /** Null: as long as the terminal exists. */
    expiresAt: integer("expires_at"),
  },
  (table) => [index("grants_agent").on(table.agentId)],
);

/** Addresses that are notified when an approval is waiting. */
export const webhooks = sqliteTable("webhooks", {
  id: text("id").primaryKey(),
  /** Its name for people; empty if it has none. */
  name: text("name").notNull().default(""),
  url: text("url").notNull(),
  /** Signs every message; shown once. */
  secret: text("secret").notNull(),
  /** Whether the text of the command leaves this machine. */
  tellsCommand: integer("tells_command", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
});
