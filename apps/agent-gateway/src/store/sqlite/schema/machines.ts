import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
