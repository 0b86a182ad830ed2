import { GatewayError } from "../errors.ts";

/** A sentence about a database that is damaged; null where the error is about something else. */
export function explainDamage(error: unknown, file: string): GatewayError | null {
  const damage = error instanceof GatewayError ? null : findDamage(error);
  if (!damage) return null;
  const message = `${file} is damaged (${damage.message}). Belay leaves it as it is. Restore it from a backup; without one, sqlite3's .recover may save what is left of it.`;
  return new GatewayError("database-damaged", message, { cause: error });
}

/** What SQLite said of a file that it cannot read; the query builder wraps that. */
export function findDamage(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const isDamage = typeof code === "string" && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
  return isDamage ? error : findDamage(error.cause);
}
