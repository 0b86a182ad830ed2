import type { TerminalId } from "@belay/protocol";
import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "../database.ts";
import { shareLinks } from "../schema.ts";

export interface ShareLinkRow {
  id: string;
  terminalId: TerminalId;
  /** JSON of the actor. */
  createdBy: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

const columns = {
  id: shareLinks.id,
  terminalId: shareLinks.terminalId,
  createdBy: shareLinks.createdBy,
  createdAt: shareLinks.createdAt,
  expiresAt: shareLinks.expiresAt,
  revokedAt: shareLinks.revokedAt,
};

export async function insertShareLink(db: Db, row: ShareLinkRow & { tokenHash: string }): Promise<void> {
  db.insert(shareLinks).values(row).run();
}

export async function findShareLinkByTokenHash(db: Db, tokenHash: string): Promise<ShareLinkRow | undefined> {
  return db.select(columns).from(shareLinks).where(eq(shareLinks.tokenHash, tokenHash)).get() as
    | ShareLinkRow
    | undefined;
}

/** The links that are still valid, newest first. */
export async function listLiveShareLinks(db: Db, terminalId: TerminalId, now: number): Promise<ShareLinkRow[]> {
  return db
    .select(columns)
    .from(shareLinks)
    .where(and(eq(shareLinks.terminalId, terminalId), isNull(shareLinks.revokedAt), gt(shareLinks.expiresAt, now)))
    .orderBy(desc(shareLinks.createdAt))
    .all() as ShareLinkRow[];
}

/** Ends a link. Undefined if there is none to end. */
export async function markShareLinkRevoked(db: Db, id: string, revokedAt: number): Promise<ShareLinkRow | undefined> {
  return db
    .update(shareLinks)
    .set({ revokedAt })
    .where(and(eq(shareLinks.id, id), isNull(shareLinks.revokedAt)))
    .returning(columns)
    .get() as ShareLinkRow | undefined;
}
