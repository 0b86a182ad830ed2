import type { HookClient, IsolationChoice } from "@belay/protocol";
import { bigint, bigserial, boolean, index, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

// The tables of ../schema.ts for PostgreSQL, with the same names, so that the same functions work on both. Comments are there.
// JSON is stored as text: the chain covers the exact text, and PostgreSQL's own types refuse some of what JSON allows.

const number = (name: string) => bigint(name, { mode: "number" });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const user = pgTable("user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull(),
  image: text("image"),
  role: text("role", { enum: ["viewer", "operator", "admin"] }).notNull(),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

export const session = pgTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: moment("expires_at").notNull(),
    token: text("token").notNull().unique(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
  },
  (table) => [index("session_user").on(table.userId)],
);

export const account = pgTable(
  "account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: moment("access_token_expires_at"),
    refreshTokenExpiresAt: moment("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [index("account_user").on(table.userId)],
);

export const verification = pgTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: moment("expires_at").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [index("verification_identifier").on(table.identifier)],
);

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

export const machines = pgTable("machines", {
  name: text("name").primaryKey(),
  gateway: number("gateway").notNull().default(0),
  publicKey: text("public_key").unique(),
  tokenKey: text("token_key").unique(),
  tokenExpiresAt: number("token_expires_at"),
  hostId: text("host_id"),
  facts: text("facts"),
  createdAt: number("created_at").notNull(),
  joinedAt: number("joined_at"),
  seenAt: number("seen_at"),
  revokedAt: number("revoked_at"),
});

export const machineTerminals = pgTable(
  "machine_terminals",
  {
    terminalId: text("terminal_id").primaryKey(),
    machine: text("machine").notNull(),
    info: text("info"),
    openedAt: number("opened_at").notNull(),
    closedAt: number("closed_at"),
    copiedAt: number("copied_at"),
    endReason: text("end_reason"),
  },
  (table) => [index("machine_terminals_open").on(table.machine, table.closedAt)],
);
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
export const auditEvents = pgTable(
  "audit_events",
  {
    seq: number("seq").primaryKey(),
    at: number("at").notNull(),
    type: text("type").notNull(),
    actor: text("actor").notNull(),
    commandId: text("command_id"),
    terminalId: text("terminal_id"),
    detail: text("detail").notNull(),
    hash: text("hash").notNull(),
    /** From the detail, for filters: the verdict, the commands that were judged, and every word. */
    decision: text("decision"),
    runs: text("runs").array(),
    words: text("words").notNull(),
    /** Its time, but never earlier than that of the row before it in its chain: the order of the rows of all gateways. */
    sortAt: number("sort_at").notNull().default(0),
  },
  (table) => [
    index("audit_events_sorted").on(table.sortAt, table.seq),
    index("audit_events_words").using("gin", table.words.op("gin_trgm_ops")),
    index("audit_events_command").on(table.commandId),
    index("audit_events_at").on(table.at),
    index("audit_events_type").on(table.type, table.seq),
    index("audit_events_terminal").on(table.terminalId, table.seq),
  ],
);

/** The gateways that use this database, each with a chain of its own. Only here: a SQLite database has one gateway. */
export const gateways = pgTable("gateways", {
  /** From its data folder. */
  id: text("id").primaryKey(),
  number: number("number").notNull().unique(),
  /** The machine that it runs on. */
  name: text("name").notNull(),
  /** Proves its signatures to the others. */
  publicKey: text("public_key"),
  joinedAt: number("joined_at").notNull(),
  /** By the clock of the database, every few seconds while it runs. */
  seenAt: number("seen_at").notNull(),
});

export const meta = pgTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });
export const commands = pgTable(
  "commands",
  {
    id: text("id").primaryKey(),
    agentId: text("agent_id").notNull(),
    terminalId: text("terminal_id"),
    line: text("line").notNull(),
    request: text("request"),
    openedAt: number("opened_at").notNull(),
    startedAt: number("started_at"),
    closedAt: number("closed_at"),
    outcome: text("outcome"),
    gateway: number("gateway").notNull().default(0),
  },
  (table) => [index("commands_terminal").on(table.terminalId), index("commands_closed").on(table.closedAt)],
);
export const clientCalls = pgTable(
  "client_calls",
  {
    commandId: text("command_id").primaryKey(),
    agentId: text("agent_id").notNull(),
    client: text("client").$type<HookClient>().notNull(),
    session: text("session").notNull(),
    callId: text("call_id"),
    line: text("line").notNull(),
    cwd: text("cwd").notNull(),
    openedAt: number("opened_at").notNull(),
    reportedAt: number("reported_at"),
  },
  (table) => [index("client_calls_session").on(table.agentId, table.client, table.openedAt)],
);

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
export const freezes = pgTable("freezes", {
  scope: text("scope").primaryKey(),
  at: number("at").notNull(),
  by: text("by").notNull(),
});
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
export const webhooks = pgTable("webhooks", {
  id: text("id").primaryKey(),
  name: text("name").notNull().default(""),
  url: text("url").notNull(),
  secret: text("secret").notNull(),
  tellsCommand: boolean("tells_command").notNull(),
  createdAt: number("created_at").notNull(),
});
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
export const invitations = pgTable("invitations", {
  id: text("id").primaryKey(),
  tokenHash: text("token_hash").notNull().unique(),
  email: text("email"),
  role: text("role", { enum: ["viewer", "operator", "admin"] }).notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: number("created_at").notNull(),
  expiresAt: number("expires_at").notNull(),
  endedAt: number("ended_at"),
});
export const commandChanges = pgTable(
  "command_changes",
  {
    commandId: text("command_id").primaryKey(),
    workspace: text("workspace").notNull(),
    epoch: text("epoch").notNull(),
    fromSeq: number("from_seq").notNull(),
    toSeq: number("to_seq").notNull(),
    endedAt: number("ended_at").notNull(),
    counts: text("counts"),
    problem: text("problem"),
    undoes: text("undoes"),
    by: text("by"),
  },
  (table) => [index("command_changes_range").on(table.epoch, table.fromSeq, table.toSeq)],
);
