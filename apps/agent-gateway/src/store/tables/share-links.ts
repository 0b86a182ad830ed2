import type { TerminalId } from "@belay/protocol";
import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "../database.ts";
import { change, type Queries, queriesOf, rowOf, rowsOf } from "../queries.ts";

export interface ShareLinkRow {
  id: string;
  terminalId: TerminalId;
  /** JSON of the actor. */
  createdBy: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/** All but the hash of the token. */
function columnsOf({ id, terminalId, createdBy, createdAt, expiresAt, revokedAt }: Queries["shareLinks"]) {
  return { id, terminalId, createdBy, createdAt, expiresAt, revokedAt };
}

export async function insertShareLink(db: Db, row: ShareLinkRow & { tokenHash: string }): Promise<void> {
  const { orm, shareLinks } = queriesOf(db);
  await change(orm.insert(shareLinks).values(row));
}

export async function findShareLinkByTokenHash(db: Db, tokenHash: string): Promise<ShareLinkRow | undefined> {
  const { orm, shareLinks } = queriesOf(db);
  const found = orm.select(columnsOf(shareLinks)).from(shareLinks).where(eq(shareLinks.tokenHash, tokenHash));
  return (await rowOf(found)) as ShareLinkRow | undefined;
}

/** The links that are still valid, newest first. */
export async function listLiveShareLinks(db: Db, terminalId: TerminalId, now: number): Promise<ShareLinkRow[]> {
  const { orm, shareLinks } = queriesOf(db);
  const live = orm
    .select(columnsOf(shareLinks))
    .from(shareLinks)
    .where(and(eq(shareLinks.terminalId, terminalId), isNull(shareLinks.revokedAt), gt(shareLinks.expiresAt, now)))
    .orderBy(desc(shareLinks.createdAt));
  return (await rowsOf(live)) as ShareLinkRow[];
}

/** Ends a link. Undefined if there is none to end. */
export async function markShareLinkRevoked(db: Db, id: string, revokedAt: number): Promise<ShareLinkRow | undefined> {
  const { orm, shareLinks } = queriesOf(db);
  const revoked = orm
    .update(shareLinks)
    .set({ revokedAt })
    .where(and(eq(shareLinks.id, id), isNull(shareLinks.revokedAt)))
    .returning(columnsOf(shareLinks));
  return (await rowOf(revoked)) as ShareLinkRow | undefined;
}
