import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "../database.ts";
import { invitations } from "../schema.ts";

export type InvitationRow = typeof invitations.$inferSelect;

export async function insertInvitation(db: Db, row: InvitationRow): Promise<void> {
  db.insert(invitations).values(row).run();
}

/** Those that can still be used, oldest first. */
export async function listOpenInvitations(db: Db, now: number): Promise<InvitationRow[]> {
  const isOpen = and(isNull(invitations.endedAt), gt(invitations.expiresAt, now));
  return db.select().from(invitations).where(isOpen).orderBy(asc(invitations.createdAt)).all();
}

export async function findInvitation(db: Db, tokenHash: string): Promise<InvitationRow | undefined> {
  return db.select().from(invitations).where(eq(invitations.tokenHash, tokenHash)).get();
}

/** Ends it once; false if it has ended already, or does not exist. */
export async function endInvitation(db: Db, id: string, endedAt: number): Promise<boolean> {
  const isOpen = and(eq(invitations.id, id), isNull(invitations.endedAt));
  return db.update(invitations).set({ endedAt }).where(isOpen).run().changes === 1;
}

/** Makes an invitation usable again after a failed attempt. */
export async function reopenInvitation(db: Db, id: string): Promise<void> {
  db.update(invitations).set({ endedAt: null }).where(eq(invitations.id, id)).run();
}
