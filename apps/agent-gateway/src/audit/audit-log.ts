import { randomBytes } from "node:crypto";
import type { Actor, AuditEvent, AuditEventType, CommandId, TerminalId } from "@belay/protocol";
import { asc, desc, eq, gt } from "drizzle-orm";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { auditEvents, meta } from "../store/schema.ts";
import { canonical, hashRow } from "./chain.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type Verification, verifyRecord } from "./verify.ts";

const ROWS_PER_CHECKPOINT = 100;
const QUIET_MS = 500;
const ROWS_PER_PAGE = 1000;

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
  readonly #checkpoints: Checkpoints;
  readonly #genesis: string;
  #seq: number;
  #hash: string;
  #signedSeq = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, now, checkpoints }: { db: Db; now: () => number; checkpoints: Checkpoints }) {
    this.#db = db;
    this.#now = now;
    this.#checkpoints = checkpoints;
    this.#genesis = genesisOf(db);
    const last = db.select().from(auditEvents).orderBy(desc(auditEvents.seq)).limit(1).get();
    this.#seq = last?.seq ?? 0;
    this.#hash = last?.hash ?? this.#genesis;
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
    this.#write({ ...row, actor: canonical(row.actor), detail: canonical(row.detail), hash });
    this.#seq = row.seq;
    this.#hash = hash;
    this.#signSoon();
    return { ...row, hash };
  }

  /** Reads all of it and says whether it is what was written. */
  async verify(): Promise<Verification> {
    return verifyRecord(this.#genesis, this.#rows(), this.#checkpoints.readAll());
  }

  /** Signs what has been written; nothing may be appended afterwards. */
  close(): void {
    this.#sign();
  }

  #write(row: typeof auditEvents.$inferInsert): void {
    try {
      this.#db.insert(auditEvents).values(row).run();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `The record could not be written (${why}), so nothing was done. An administrator has to look at the disk of Belay's data folder.`;
      throw new GatewayError("record-not-written", message, { cause: error });
    }
  }

  /** At once after many rows, else when it has been quiet for a moment: a signature costs as much as ten rows. */
  #signSoon(): void {
    if (this.#seq - this.#signedSeq >= ROWS_PER_CHECKPOINT) this.#sign();
    else this.#timer ??= setTimeout(() => this.#sign(), QUIET_MS).unref();
  }

  #sign(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#seq === this.#signedSeq) return;
    this.#checkpoints.append({ genesis: this.#genesis, seq: this.#seq, hash: this.#hash, at: this.#now() });
    this.#signedSeq = this.#seq;
  }

  /** In pieces: the record may be larger than the memory. */
  *#rows(): Generator<AuditEvent> {
    let rows: AuditEvent[];
    let last = 0;
    do {
      const page = this.#db.select().from(auditEvents).where(gt(auditEvents.seq, last)).orderBy(asc(auditEvents.seq));
      rows = page.limit(ROWS_PER_PAGE).all().map(toEvent);
      yield* rows;
      last = rows.at(-1)?.seq ?? last;
    } while (rows.length === ROWS_PER_PAGE);
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
