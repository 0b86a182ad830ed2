import type { AuditEvent } from "@belay/protocol";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../store/database.ts";
import { auditEvents } from "../../store/schema.ts";
import { isRedacted } from "../redact/redaction-proof.ts";
import { toEvent } from "../rows.ts";
import type { Checkpoints } from "../signing/checkpoints.ts";

export interface ChainPlace {
  event: AuditEvent;
  /** The previous row's hash; null if that row was deleted because of its age. */
  previousHash: string | null;
  nextSeq: number | null;
  /** The signature that covers it: the first checkpoint at or after it. Null if there is none yet. */
  checkpoint: { seq: number; at: number } | null;
  /** The row that declares this one's redaction, by whom and why; null if it was not redacted. */
  redaction: AuditEvent | null;
}

/** A row with its proof: the previous hash, and the signature that covers it. */
export async function findPlace(
  db: Db,
  checkpoints: Checkpoints,
  { seq, genesis }: { seq: number; genesis: string },
): Promise<ChainPlace | null> {
  const row = db.select().from(auditEvents).where(eq(auditEvents.seq, seq)).get();
  if (!row) return null;
  const neighbour = { seq: auditEvents.seq, hash: auditEvents.hash };
  const [before] = db
    .select(neighbour)
    .from(auditEvents)
    .where(eq(auditEvents.seq, seq - 1))
    .all();
  const [after] = db
    .select(neighbour)
    .from(auditEvents)
    .where(eq(auditEvents.seq, seq + 1))
    .all();
  return {
    event: toEvent(row),
    previousHash: before?.hash ?? (seq === 1 ? genesis : null),
    nextSeq: after?.seq ?? null,
    checkpoint: findCheckpoint(checkpoints, seq),
    redaction: isRedacted(toEvent(row)) ? findRedaction(db, seq) : null,
  };
}

/** Only the returned one is verified: a signature check costs more than reading all lines. */
function findCheckpoint(checkpoints: Checkpoints, seq: number): ChainPlace["checkpoint"] {
  let nearest: { seq: number; line: string } | null = null;
  for (const line of checkpoints.lines()) {
    const signed = Number(/"seq":(\d+)/.exec(line)?.[1] ?? 0);
    if (signed >= seq && (nearest === null || signed < nearest.seq)) nearest = { seq: signed, line };
  }
  const checkpoint = nearest && checkpoints.read(nearest.line);
  return checkpoint && { seq: checkpoint.seq, at: checkpoint.at };
}

function findRedaction(db: Db, seq: number): AuditEvent | null {
  const covers = sql`EXISTS (SELECT 1 FROM json_each(${auditEvents.detail}, '$.rows') AS covered
    WHERE json_extract(covered.value, '$.seq') = ${seq})`;
  const row = db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.type, "audit.redacted"), covers))
    .get();
  return row ? toEvent(row) : null;
}
