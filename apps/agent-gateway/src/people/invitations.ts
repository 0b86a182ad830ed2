import { randomBytes } from "node:crypto";
import type { Actor } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import {
  endInvitation,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listOpenInvitations,
  reopenInvitation,
} from "../store/tables/people/invitations.ts";
import { hashToken } from "../store/tokens.ts";
import type { People } from "./people.ts";
import type { NewPerson, Person, Role } from "./person.ts";

/** A prefix, so that a claim's token shows what it is for. */
export const INVITATION_PREFIX = "bli_";
const DAY_MS = 24 * 3_600_000;

export interface Invitation {
  id: string;
  email: string | null;
  role: Role;
  createdAt: number;
  expiresAt: number;
}

/** Links with which a person that an admin invited creates an account, once. */
export class Invitations {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #people: People;
  readonly #now: () => number;

  constructor({ db, audit, people, now }: { db: Db; audit: AuditLog; people: People; now: () => number }) {
    this.#db = db;
    this.#audit = audit;
    this.#people = people;
    this.#now = now;
  }

  async create(
    { email, role, days }: { email: string | null; role: Role; days: number },
    by: Actor,
  ): Promise<Invitation & { token: string }> {
    const token = INVITATION_PREFIX + randomBytes(24).toString("base64url");
    const createdAt = this.#now();
    const invitation = {
      id: newId("inv"),
      email: email?.toLowerCase() ?? null,
      role,
      createdAt,
      expiresAt: createdAt + days * DAY_MS,
    };
    await this.#audit.append({ type: "person.invited", actor: by, detail: { ...invitation } });
    const row = { ...invitation, tokenHash: hashToken(token), createdBy: JSON.stringify(by), endedAt: null };
    await insertInvitation(this.#db, row);
    return { ...invitation, token };
  }

  async list(): Promise<Invitation[]> {
    return (await listOpenInvitations(this.#db, this.#now())).map(toInvitation);
  }

  async withdraw(id: string, by: Actor): Promise<void> {
    if (!(await endInvitation(this.#db, id, this.#now()))) throw ended();
    await this.#audit.append({ type: "person.invitation-withdrawn", actor: by, detail: { id } });
  }

  async accept(token: string, person: Omit<NewPerson, "role">): Promise<Person> {
    const row = await findInvitation(this.#db, hashToken(token));
    if (!row || row.endedAt !== null || row.expiresAt <= this.#now()) throw ended();
    if (row.email !== null && row.email !== person.email.toLowerCase()) {
      throw new GatewayError("invitation-not-found", "This link was made for another address. Use that one.");
    }
    // Claimed before the account is created, so that two concurrent claims create one; released if it fails.
    if (!(await endInvitation(this.#db, row.id, this.#now()))) throw ended();
    try {
      return await this.#people.add({ ...person, role: row.role }, JSON.parse(row.createdBy) as Actor);
    } catch (error) {
      await reopenInvitation(this.#db, row.id);
      throw error;
    }
  }
}

function toInvitation({ id, email, role, createdAt, expiresAt }: InvitationRow): Invitation {
  return { id, email, role, createdAt, expiresAt };
}

function ended(): GatewayError {
  return new GatewayError(
    "invitation-not-found",
    "This link has been used, withdrawn or is out of date. Ask an admin for a new one.",
  );
}
