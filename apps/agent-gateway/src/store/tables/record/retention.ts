import { chainOf } from "@belay/protocol";
import { and, desc, eq, gt, gte, inArray, isNotNull, lt, lte, min, ne, notInArray } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { keyOfChain } from "../../key-of-chain.ts";
import { change, commit, queriesOf, rowOf, write } from "../../queries.ts";

const ROWS_AT_ONCE = 500;

/** The triggers of the record read it: rows of this chain up to that one may be deleted. */
function sealedKey(gateway: number): string {
  return keyOfChain("audit-sealed-seq", gateway);
}

/** The last row of a gateway's chain that a signed seal replaces; the base of the chain if there is none. */
export async function readSealedSeq(db: Db, gateway: number): Promise<number> {
  const { orm, meta } = queriesOf(db);
  const row = await rowOf(
    orm
      .select()
      .from(meta)
      .where(eq(meta.key, sealedKey(gateway))),
  );
  return Number(row?.value ?? chainOf(gateway).base);
}

export async function saveSealedSeq(db: Db, gateway: number, seq: number): Promise<void> {
  const { orm, meta } = queriesOf(db);
  const value = String(seq);
  const onConflict = { target: meta.key, set: { value } };
  await change(
    orm
      .insert(meta)
      .values({ key: sealedKey(gateway), value })
      .onConflictDoUpdate(onConflict),
  );
}

/** The last row of a gateway's chain before the first one to keep. Timestamps may repeat or go back, so the order of the chain decides. */
export async function findLastOfOldRows(
  db: Db,
  gateway: number,
  olderThan: number,
): Promise<{ seq: number; hash: string } | undefined> {
  const { orm, auditEvents } = queriesOf(db);
  const { base, end } = chainOf(gateway);
  const isOwn = and(gt(auditEvents.seq, base), lte(auditEvents.seq, end));
  const first = orm
    .select({ seq: min(auditEvents.seq) })
    .from(auditEvents)
    .where(and(isOwn, gte(auditEvents.at, olderThan)));
  const young = (await rowOf(first))?.seq ?? null;
  const row = { seq: auditEvents.seq, hash: auditEvents.hash };
  const old = orm
    .select(row)
    .from(auditEvents)
    .where(and(isOwn, young === null ? undefined : lt(auditEvents.seq, young)));
  return rowOf(old.orderBy(desc(auditEvents.seq)).limit(1));
}

/** Removes some of the oldest sealed rows of a gateway's chain. Returns how many it removed; 0 when none is left. */
export async function removeRowsUpTo(db: Db, gateway: number, seq: number): Promise<number> {
  const { removeRows } = queriesOf(db);
  return seq === chainOf(gateway).base ? 0 : commit(removeRows(seq, ROWS_AT_ONCE));
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
