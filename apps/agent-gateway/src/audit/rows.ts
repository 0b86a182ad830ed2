import {
  type Actor,
  type AuditEvent,
  type AuditEventType,
  type CommandId,
  chainOf,
  type TerminalId,
} from "@belay/protocol";
import { and, asc, count, gt, lte } from "drizzle-orm";
import type { Db } from "../store/database.ts";
import { type Queries, queriesOf, rowOf, rowsOf } from "../store/queries.ts";

const ROWS_PER_PAGE = 500;

/**
 * Every row of a gateway's chain, in batches: the record may not fit into memory, and the event loop must not be blocked.
 * `onRow` is called for each row that is returned.
 */
export async function* readRows(db: Db, gateway: number, onRow?: () => void): AsyncGenerator<AuditEvent> {
  const { orm, auditEvents } = queriesOf(db);
  const { base, end } = chainOf(gateway);
  let rows: AuditEvent[];
  let last = base;
  do {
    const isNext = and(gt(auditEvents.seq, last), lte(auditEvents.seq, end));
    const page = orm.select().from(auditEvents).where(isNext).orderBy(asc(auditEvents.seq));
    rows = (await rowsOf(page.limit(ROWS_PER_PAGE))).map(toEvent);
    for (const row of rows) {
      yield row;
      onRow?.();
    }
    last = rows.at(-1)?.seq ?? last;
    await yieldToEventLoop();
  } while (rows.length === ROWS_PER_PAGE);
}

export async function countRows(db: Db): Promise<number> {
  const { orm, auditEvents } = queriesOf(db);
  return (await rowOf(orm.select({ rows: count() }).from(auditEvents)))?.rows ?? 0;
}

export function toEvent(row: Queries["auditEvents"]["$inferSelect"]): AuditEvent {
  // Each by name, because a database may have columns of its own.
  return {
    seq: row.seq,
    at: row.at,
    type: row.type as AuditEventType,
    actor: JSON.parse(row.actor) as Actor,
    commandId: row.commandId as CommandId | null,
    terminalId: row.terminalId as TerminalId | null,
    detail: JSON.parse(row.detail) as AuditEvent["detail"],
    hash: row.hash,
  };
}

/** SQLite calls are synchronous, so a long job has to yield to the event loop itself. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
