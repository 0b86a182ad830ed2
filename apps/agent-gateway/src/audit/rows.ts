import type { Actor, AuditEvent, AuditEventType, CommandId, TerminalId } from "@belay/protocol";
import { asc, count, gt } from "drizzle-orm";
import type { Db } from "../store/database.ts";
import { type Queries, queriesOf, rowOf, rowsOf } from "../store/queries.ts";

const ROWS_PER_PAGE = 500;

/**
 * Every row after `seq`, in batches: the record may not fit into memory, and the event loop must not be blocked.
 * `onRow` is called for each row that is returned.
 */
export async function* readRows(db: Db, seq: number, onRow?: () => void): AsyncGenerator<AuditEvent> {
  const { orm, auditEvents } = queriesOf(db);
  let rows: AuditEvent[];
  let last = seq;
  do {
    const page = orm.select().from(auditEvents).where(gt(auditEvents.seq, last)).orderBy(asc(auditEvents.seq));
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
