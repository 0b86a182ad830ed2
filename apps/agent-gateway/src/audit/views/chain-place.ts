import { type AuditEvent, placeOfRow } from "@belay/protocol";
import { asc, eq } from "drizzle-orm";
import type { Db } from "../../store/database.ts";
import { keyOfChain } from "../../store/key-of-chain.ts";
import { queriesOf, rowOf, rowsOf } from "../../store/queries.ts";
import { coveredBy, isRedacted } from "../redact/redaction-proof.ts";
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
  { seq, gateway }: { seq: number; gateway: number },
): Promise<ChainPlace | null> {
  const { orm, auditEvents, meta } = queriesOf(db);
  const place = placeOfRow(seq);
  const row = await rowOf(orm.select().from(auditEvents).where(eq(auditEvents.seq, seq)));
  if (!row) return null;
  const neighbour = (at: number) =>
    rowOf(
      orm.select({ seq: auditEvents.seq, hash: auditEvents.hash }).from(auditEvents).where(eq(auditEvents.seq, at)),
    );
  const isFirst = place.row === 1;
  const genesis = orm
    .select()
    .from(meta)
    .where(eq(meta.key, keyOfChain("audit-genesis", place.gateway)));
  const before = isFirst ? (await rowOf(genesis))?.value : (await neighbour(seq - 1))?.hash;
  const after = await neighbour(seq + 1);
  return {
    event: toEvent(row),
    previousHash: before ?? null,
    nextSeq: after?.seq ?? null,
    checkpoint: place.gateway === gateway ? findCheckpoint(checkpoints, seq) : findBinding(checkpoints, seq),
    redaction: isRedacted(toEvent(row)) ? await findRedaction(db, seq) : null,
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

/** For a row of another gateway: this gateway's first signature that names its chain at or after it. */
function findBinding(checkpoints: Checkpoints, seq: number): ChainPlace["checkpoint"] {
  const { gateway } = placeOfRow(seq);
  for (const line of checkpoints.lines()) {
    if (!line.includes(`"gateway":${gateway},`)) continue;
    const checkpoint = checkpoints.read(line);
    const bound = checkpoint?.others?.find((other) => other.gateway === gateway && other.seq >= seq);
    if (checkpoint && bound) return { seq: bound.seq, at: checkpoint.at };
  }
  return null;
}

/** The row that declares the redaction of another. Redactions are rare, so all are read. */
async function findRedaction(db: Db, seq: number): Promise<AuditEvent | null> {
  const { orm, auditEvents } = queriesOf(db);
  const isRedaction = eq(auditEvents.type, "audit.redacted");
  const all = await rowsOf(orm.select().from(auditEvents).where(isRedaction).orderBy(asc(auditEvents.seq)));
  return all.map(toEvent).find((row) => coveredBy(row).some((covered) => covered.seq === seq)) ?? null;
}
