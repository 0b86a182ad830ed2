import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
