import { randomBytes } from "node:crypto";
import type { Actor, AuditEvent, AuditEventType, CommandId, TerminalId } from "@belay/protocol";
import { desc, eq } from "drizzle-orm";
import type { Db } from "../store/database.ts";
import { auditEvents, meta } from "../store/schema.ts";
import { canonical, hashRow } from "./chain.ts";

export interface NewAuditEvent {
  type: AuditEventType;
  actor: Actor;
  commandId?: CommandId;
  terminalId?: TerminalId;
  detail?: AuditEvent["detail"];
}

/**
 * The record of everything that happened. One writer, one chain.
 *
 * `append` returns once the row is on disk (WAL, synchronous FULL). It throws
 * when the row cannot be written, and whoever called it does not go on.
 */
export class AuditLog {
  readonly #db: Db;
  readonly #now: () => number;
  #seq: number;
  #hash: string;

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
    const last = db.select().from(auditEvents).orderBy(desc(auditEvents.seq)).limit(1).get();
    this.#seq = last?.seq ?? 0;
    this.#hash = last?.hash ?? genesisOf(db);
  }

  async append(event: NewAuditEvent): Promise<AuditEvent> {
    const row = {
      seq: this.#seq + 1,
      at: this.#now(),
      type: event.type,
      actor: event.actor,
      commandId: event.commandId ?? null,
      terminalId: event.terminalId ?? null,
      detail: event.detail ?? {},
    };
    const hash = hashRow(this.#hash, row);
    this.#db
      .insert(auditEvents)
      .values({ ...row, actor: canonical(row.actor), detail: canonical(row.detail), hash })
      .run();
    this.#seq = row.seq;
    this.#hash = hash;
    return { ...row, hash };
  }

  /** Newest first. */
  async list(limit: number): Promise<AuditEvent[]> {
    return this.#db.select().from(auditEvents).orderBy(desc(auditEvents.seq)).limit(limit).all().map(toEvent);
  }
}

/** The chain begins at a random value, so that two empty logs are not interchangeable. */
function genesisOf(db: Db): string {
  db.insert(meta)
    .values({ key: "audit-genesis", value: randomBytes(32).toString("hex") })
    .onConflictDoNothing()
    .run();
  return db.select().from(meta).where(eq(meta.key, "audit-genesis")).get()?.value ?? "";
}

function toEvent(row: typeof auditEvents.$inferSelect): AuditEvent {
  return {
    ...row,
    type: row.type as AuditEventType,
    actor: JSON.parse(row.actor) as Actor,
    commandId: row.commandId as CommandId | null,
    terminalId: row.terminalId as TerminalId | null,
    detail: JSON.parse(row.detail) as AuditEvent["detail"],
  };
}
