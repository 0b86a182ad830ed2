import { boolean, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

export const approvals = pgTable(
  "approvals",
  {
    id: text("id").primaryKey(),
    commandId: text("command_id").notNull(),
    agentId: text("agent_id").notNull(),
    terminalId: text("terminal_id"),
    text: text("text").notNull(),
    cwd: text("cwd").notNull(),
    policyVersion: text("policy_version").notNull(),
    binding: text("binding").notNull().default("{}"),
    verdict: text("verdict").notNull(),
    approvers: text("approvers").notNull().default('["operator","admin"]'),
    approversNeeded: number("approvers_needed").notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at"),
    status: text("status", { enum: ["pending", "approved", "denied", "expired", "withdrawn"] }).notNull(),
    state: text("state").notNull(),
    toldAt: number("told_at"),
    passedOnAt: number("passed_on_at"),
  },
  (table) => [index("approvals_status").on(table.status), index("approvals_command").on(table.commandId)],
);

export const approvalVotes = pgTable(
  "approval_votes",
  {
    approvalId: text("approval_id")
      .notNull()
      .references(() => approvals.id),
    personId: text("person_id").notNull(),
    at: number("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.approvalId, table.personId] })],
);

export const grants = pgTable(
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
    terminalId: text("terminal_id"),
    expiresAt: number("expires_at"),
  },
  (table) => [index("grants_agent").on(table.agentId)],
);

export const webhooks = pgTable("webhooks", {
  id: text("id").primaryKey(),
  name: text("name").notNull().default(""),
  url: text("url").notNull(),
  secret: text("secret").notNull(),
  tellsCommand: boolean("tells_command").notNull(),
  createdAt: number("created_at").notNull(),
});
