import { index, pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

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
