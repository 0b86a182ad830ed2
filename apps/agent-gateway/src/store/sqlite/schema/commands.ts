import type { HookClient } from "@belay/protocol";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
