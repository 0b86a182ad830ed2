import { randomBytes } from "node:crypto";
import type { Actor, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../../audit/audit-log.ts";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../../store/database.ts";
import { newId } from "../../store/new-id.ts";
import {
  findShareLinkByTokenHash,
  insertShareLink,
  listLiveShareLinks,
  markShareLinkRevoked,
  type ShareLinkRow,
} from "../../store/tables/share-links.ts";
import { hashToken } from "../../store/tokens.ts";

const TOKEN_PREFIX = "bls_";

/** The holder of a link may watch one terminal until it expires. */
export interface ShareLink {
  id: string;
  terminalId: TerminalId;
  createdAt: number;
  expiresAt: number;
}

/** Links that show one terminal, read-only, to people without an account. They expire. */
export class ShareLinks {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #now: () => number;
  readonly #open = new Map<string, Set<() => void>>();

  constructor({ db, audit, now }: { db: Db; audit: AuditLog; now: () => number }) {
    this.#db = db;
    this.#audit = audit;
    this.#now = now;
  }

  async create(terminalId: TerminalId, minutes: number, by: Actor): Promise<ShareLink & { token: string }> {
    const token = TOKEN_PREFIX + randomBytes(32).toString("base64url");
    const createdAt = this.#now();
    const link = {
      id: newId("shr"),
      terminalId,
      createdAt,
      expiresAt: createdAt + minutes * 60_000,
    };
    const detail = { linkId: link.id, expiresAt: link.expiresAt };
    await this.#audit.append({ type: "share.created", actor: by, terminalId, detail });
    await insertShareLink(this.#db, {
      ...link,
      tokenHash: hashToken(token),
      createdBy: JSON.stringify(by),
      revokedAt: null,
    });
    return { ...link, token };
  }

  async list(terminalId: TerminalId): Promise<ShareLink[]> {
    return (await listLiveShareLinks(this.#db, terminalId, this.#now())).map(toLink);
  }

  /** Revokes a link, and disconnects its viewers. */
  async revoke(id: string, by: Actor): Promise<void> {
    const row = await markShareLinkRevoked(this.#db, id, this.#now());
    if (!row) throw new GatewayError("share-not-found", "This link no longer exists; it may have expired.");
    // Revoked before it is recorded: if recording fails, too little is shown, never too much.
    for (const end of this.#open.get(id) ?? []) end();
    await this.#audit.append({
      type: "share.revoked",
      actor: by,
      terminalId: row.terminalId,
      detail: { linkId: id },
    });
  }

  /** The link of a token; null if it has ended or does not exist. */
  async authenticate(token: string): Promise<ShareLink | null> {
    if (!token.startsWith(TOKEN_PREFIX)) return null;
    const row = await findShareLinkByTokenHash(this.#db, hashToken(token));
    if (!row || row.revokedAt !== null || row.expiresAt <= this.#now()) return null;
    return toLink(row);
  }

  /** Reports a viewer of this link, and calls `onEnded` when the link ends. Returns a function that stops listening. */
  async enter(link: ShareLink, onEnded: () => void): Promise<() => void> {
    await this.#audit.append({
      type: "share.opened",
      actor: { type: "system" },
      terminalId: link.terminalId,
      detail: { linkId: link.id },
    });
    const timer = setTimeout(onEnded, Math.max(0, link.expiresAt - this.#now()));
    timer.unref();
    const guests = this.#open.get(link.id) ?? new Set();
    this.#open.set(link.id, guests.add(onEnded));
    return () => {
      clearTimeout(timer);
      guests.delete(onEnded);
      if (guests.size === 0) this.#open.delete(link.id);
    };
  }
}

function toLink({ id, terminalId, createdAt, expiresAt }: ShareLinkRow): ShareLink {
  return { id, terminalId, createdAt, expiresAt };
}
