import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { change, type Queries, queriesOf, rowOf, rowsOf } from "../../queries.ts";

export type InvitationRow = Queries["invitations"]["$inferSelect"];

export async function insertInvitation(db: Db, row: InvitationRow): Promise<void> {
  const { orm, invitations } = queriesOf(db);
  await change(orm.insert(invitations).values(row));
}

/** Those that can still be used, oldest first. */
export async function listOpenInvitations(db: Db, now: number): Promise<InvitationRow[]> {
  const { orm, invitations } = queriesOf(db);
  const isOpen = and(isNull(invitations.endedAt), gt(invitations.expiresAt, now));
  return rowsOf(orm.select().from(invitations).where(isOpen).orderBy(asc(invitations.createdAt)));
}

export async function findInvitation(db: Db, tokenHash: string): Promise<InvitationRow | undefined> {
  const { orm, invitations } = queriesOf(db);
  return rowOf(orm.select().from(invitations).where(eq(invitations.tokenHash, tokenHash)));
}

/** Ends it once; false if it has ended already, or does not exist. */
export async function endInvitation(db: Db, id: string, endedAt: number): Promise<boolean> {
  const { orm, invitations } = queriesOf(db);
  const isOpen = and(eq(invitations.id, id), isNull(invitations.endedAt));
  return (await change(orm.update(invitations).set({ endedAt }).where(isOpen))) === 1;
}

/** Makes an invitation usable again after a failed attempt. */
export async function reopenInvitation(db: Db, id: string): Promise<void> {
  const { orm, invitations } = queriesOf(db);
  await change(orm.update(invitations).set({ endedAt: null }).where(eq(invitations.id, id)));
}
