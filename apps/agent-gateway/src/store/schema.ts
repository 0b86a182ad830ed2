import type { HookClient, IsolationChoice } from "@belay/protocol";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** People and their sessions, in better-auth's schema. */
export const user = sqliteTable("user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: integer("email_verified", { mode: "boolean" }).notNull(),
  image: text("image"),
  role: text("role", { enum: ["viewer", "operator", "admin"] }).notNull(),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
});

export const session = sqliteTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    token: text("token").notNull().unique(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
  },
  (table) => [index("session_user").on(table.userId)],
);

export const account = sqliteTable(
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
    accessTokenExpiresAt: integer("access_token_expires_at", { mode: "timestamp_ms" }),
    refreshTokenExpiresAt: integer("refresh_token_expires_at", { mode: "timestamp_ms" }),
    scope: text("scope"),
    password: text("password"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("account_user").on(table.userId)],
);

export const verification = sqliteTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("verification_identifier").on(table.identifier)],
);

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

/** Other machines that run terminals for this gateway. */
export const machines = sqliteTable("machines", {
  name: text("name").primaryKey(),
  /** The gateway that it joins: its token names the key of that one. 0 is the only one or the first. */
  gateway: integer("gateway").notNull().default(0),
  /** The machine's own key, from when it joined; null: it has not joined yet. */
  publicKey: text("public_key").unique(),
  /** The public half of the key in its join token: the token itself is shown once and never stored. */
  tokenKey: text("token_key").unique(),
  tokenExpiresAt: integer("token_expires_at"),
  /** Identifies the process that held its terminals last. */
  hostId: text("host_id"),
  /** JSON of what it last said about itself. */
  facts: text("facts"),
  createdAt: integer("created_at").notNull(),
  joinedAt: integer("joined_at"),
  seenAt: integer("seen_at"),
  revokedAt: integer("revoked_at"),
});

/** The terminals on other machines: where each one is, also while its machine is away. */
export const machineTerminals = sqliteTable(
  "machine_terminals",
  {
    terminalId: text("terminal_id").primaryKey(),
    machine: text("machine").notNull(),
    /** JSON of the terminal when it was started; null until then. */
    info: text("info"),
    openedAt: integer("opened_at").notNull(),
    closedAt: integer("closed_at"),
    /** When its whole recording was copied here. */
    copiedAt: integer("copied_at"),
    /** Why it is to end as soon as its machine is back; null if it is not. */
    endReason: text("end_reason"),
  },
  (table) => [index("machine_terminals_open").on(table.machine, table.closedAt)],
);

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

/** The record. Append-only: triggers refuse everything else. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    seq: integer("seq").primaryKey(),
    at: integer("at").notNull(),
    type: text("type").notNull(),
    actor: text("actor").notNull(),
    commandId: text("command_id"),
    terminalId: text("terminal_id"),
    detail: text("detail").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [
    index("audit_events_command").on(table.commandId),
    index("audit_events_at").on(table.at),
    index("audit_events_type").on(table.type, table.seq),
    index("audit_events_terminal").on(table.terminalId, table.seq),
  ],
);

/** Single values, such as the random genesis of the chain. */
export const meta = sqliteTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });

/** Every submitted command, from its first row in the record to its last. */
export const commands = sqliteTable(
  "commands",
  {
    id: text("id").primaryKey(),
    agentId: text("agent_id").notNull(),
    /** Null: it needs none. */
    terminalId: text("terminal_id"),
    line: text("line").notNull(),
    /** JSON of the agent's request, so that the next gateway can resume it; null once it is closed. */
    request: text("request"),
    openedAt: integer("opened_at").notNull(),
    /** Once set, the command may have run and is never started again. */
    startedAt: integer("started_at"),
    closedAt: integer("closed_at"),
    /** How it ended, for an agent that polls later. */
    outcome: text("outcome"),
    /** The gateway that was asked to run it; 0 is the only one or the first. Only it knows how the command ends. */
    gateway: integer("gateway").notNull().default(0),
  },
  (table) => [index("commands_terminal").on(table.terminalId), index("commands_closed").on(table.closedAt)],
);

/** Commands in clients' own shells, by the client's ids. */
export const clientCalls = sqliteTable(
  "client_calls",
  {
    commandId: text("command_id").primaryKey(),
    agentId: text("agent_id").notNull(),
    client: text("client").$type<HookClient>().notNull(),
    /** Empty: the client gives none. */
    session: text("session").notNull(),
    callId: text("call_id"),
    line: text("line").notNull(),
    cwd: text("cwd").notNull(),
    openedAt: integer("opened_at").notNull(),
    /** When the client reported its end. */
    reportedAt: integer("reported_at"),
  },
  (table) => [index("client_calls_session").on(table.agentId, table.client, table.session, table.openedAt)],
);

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

/** Frozen agents: one agent, or `*` for all. */
export const freezes = sqliteTable("freezes", {
  scope: text("scope").primaryKey(),
  at: integer("at").notNull(),
  by: text("by").notNull(),
});

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

/** Links with which a person can create an account with a role that an admin chose, once. */
export const invitations = sqliteTable("invitations", {
  id: text("id").primaryKey(),
  /** SHA-256 of the token: the link itself is shown once and never stored. */
  tokenHash: text("token_hash").notNull().unique(),
  /** Null: the person chooses their own. */
  email: text("email"),
  role: text("role", { enum: ["viewer", "operator", "admin"] }).notNull(),
  /** JSON of the actor. */
  createdBy: text("created_by").notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  /** Used or withdrawn. */
  endedAt: integer("ended_at"),
});

/** What each command changed in its workspace: between which two snapshots, and how much. */
export const commandChanges = sqliteTable(
  "command_changes",
  {
    commandId: text("command_id").primaryKey(),
    workspace: text("workspace").notNull(),
    /** The history that the snapshot numbers belong to. */
    epoch: text("epoch").notNull(),
    fromSeq: integer("from_seq").notNull(),
    toSeq: integer("to_seq").notNull(),
    endedAt: integer("ended_at").notNull(),
    /** JSON of the counts; null if unknown. */
    counts: text("counts"),
    /** Why its changes are unknown. */
    problem: text("problem"),
    /** JSON of what was undone, if this is an undo. */
    undoes: text("undoes"),
    /** JSON of the actor, if a person did it. */
    by: text("by"),
  },
  (table) => [index("command_changes_range").on(table.epoch, table.fromSeq, table.toSeq)],
);
