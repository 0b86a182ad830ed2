import type { HookClient } from "@belay/protocol";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

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
