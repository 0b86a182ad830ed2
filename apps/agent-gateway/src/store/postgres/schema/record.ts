import { index, pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

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

export const meta = pgTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });
