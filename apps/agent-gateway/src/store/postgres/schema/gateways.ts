import { pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

/** The gateways that use this database, each with a chain of its own. Only here: a SQLite database has one gateway. */
export const gateways = pgTable("gateways", {
  /** From its data folder. */
  id: text("id").primaryKey(),
  number: number("number").notNull().unique(),
  /** What people call it; the machine that it runs on without a name. */
  name: text("name").notNull(),
  /** Proves its signatures to the others. */
  publicKey: text("public_key"),
  joinedAt: number("joined_at").notNull(),
  /** By the clock of the database, every few seconds while it runs. */
  seenAt: number("seen_at").notNull(),
  /** Gone for good, an admin says: it cannot come back, and the others remove its rows when they are old. */
  retiredAt: number("retired_at"),
});
