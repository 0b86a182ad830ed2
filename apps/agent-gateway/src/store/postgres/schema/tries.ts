import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { number } from "./columns.ts";

/**
 * Attempts to sign in, counted by all gateways together. Only here: a gateway alone counts in its memory. By the clock of the
 * database. Unlogged (see its migration): a count that is lost with a crash of the server does no harm.
 */
export const tries = pgTable(
  "tries",
  {
    /** Hashes of who tries. */
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    /** When the count began, or grew last. */
    since: number("since").notNull(),
    /** When the next attempt may be made. */
    nextAt: number("next_at").notNull(),
  },
  (table) => [index("tries_since").on(table.since)],
);
