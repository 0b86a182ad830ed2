import { GatewayError } from "../../errors.ts";

/** A sentence about a damaged database; null if the error is about something else. */
export function explainDamage(error: unknown, file: string): GatewayError | null {
  const damage = error instanceof GatewayError ? null : findDamage(error);
  if (!damage) return null;
  const message = `${file} is damaged (${damage.message}). Belay leaves it as it is. Restore it from a backup; without one, sqlite3's .recover may save what is left of it.`;
  return new GatewayError("database-damaged", message, { cause: error });
}

/** SQLite's error about an unreadable file, which the query builder wraps. */
export function findDamage(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const isDamage = typeof code === "string" && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
  return isDamage ? error : findDamage(error.cause);
}
