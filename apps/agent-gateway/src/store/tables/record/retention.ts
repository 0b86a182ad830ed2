import { and, desc, eq, gte, inArray, isNotNull, lt, min, ne, notInArray } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { change, commit, queriesOf, rowOf, write } from "../../queries.ts";

/** The triggers of the record read it: rows up to this one may be deleted. */
const SEALED_SEQ = "audit-sealed-seq";
const ROWS_AT_ONCE = 500;

/** The last row that a signed seal replaces; 0 if there is none. */
export async function readSealedSeq(db: Db): Promise<number> {
  const { orm, meta } = queriesOf(db);
  return Number((await rowOf(orm.select().from(meta).where(eq(meta.key, SEALED_SEQ))))?.value ?? 0);
}

export async function saveSealedSeq(db: Db, seq: number): Promise<void> {
  const { orm, meta } = queriesOf(db);
  const value = String(seq);
  const onConflict = { target: meta.key, set: { value } };
  await change(orm.insert(meta).values({ key: SEALED_SEQ, value }).onConflictDoUpdate(onConflict));
}

/** The last row before the first one to keep. Timestamps may repeat or go back, so the order of the chain decides. */
export async function findLastOfOldRows(db: Db, olderThan: number): Promise<{ seq: number; hash: string } | undefined> {
  const { orm, auditEvents } = queriesOf(db);
  const first = orm
    .select({ seq: min(auditEvents.seq) })
    .from(auditEvents)
    .where(gte(auditEvents.at, olderThan));
  const young = (await rowOf(first))?.seq ?? null;
  const row = { seq: auditEvents.seq, hash: auditEvents.hash };
  const old = orm
    .select(row)
    .from(auditEvents)
    .where(young === null ? undefined : lt(auditEvents.seq, young));
  return rowOf(old.orderBy(desc(auditEvents.seq)).limit(1));
}

/** Removes some of the oldest sealed rows. Returns how many it removed; 0 when none is left. */
export function removeRowsUpTo(db: Db, seq: number): Promise<number> {
  return commit(queriesOf(db).removeRows(seq, ROWS_AT_ONCE));
}

/** Deletes commands and approvals as old as the removed rows, except approvals that a grant still refers to. */
export async function removeOldCommands(db: Db, olderThan: number): Promise<void> {
  await queriesOf(db).commitAll((tx) => {
    const { orm, approvals, approvalVotes, clientCalls, commands, grants } = queriesOf(tx);
    const kept = orm.select({ id: commands.id }).from(commands);
    const inForce = orm.select({ id: grants.approvalId }).from(grants);
    const isOld = and(ne(approvals.status, "pending"), lt(approvals.createdAt, olderThan));
    const old = orm
      .select({ id: approvals.id })
      .from(approvals)
      .where(and(isOld, notInArray(approvals.id, inForce)));
    return [
      write(orm.delete(commands).where(and(isNotNull(commands.closedAt), lt(commands.closedAt, olderThan)))),
      write(orm.delete(clientCalls).where(notInArray(clientCalls.commandId, kept))),
      write(orm.delete(grants).where(and(isNotNull(grants.expiresAt), lt(grants.expiresAt, olderThan)))),
      write(orm.delete(approvalVotes).where(inArray(approvalVotes.approvalId, old))),
      write(orm.delete(approvals).where(inArray(approvals.id, old))),
    ];
  });
}
