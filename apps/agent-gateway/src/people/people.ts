import type { Actor } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import type { OidcSettings } from "../env.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { findPeople, findSession } from "../store/tables/people/accounts.ts";
import { type Auth, CLIENT_ADDRESS_HEADER, createAuth, type PasswordHashing } from "./auth.ts";
import type { Limits } from "./limits.ts";
import { Oidc } from "./oidc.ts";
import { requireStrongPassword } from "./password-rules.ts";
import { type NewPerson, type Person, personFrom, type Role, type Session, sessionFrom } from "./person.ts";
import { SignInLimit } from "./sign-in-limit.ts";

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  secret: string;
  now: () => number;
  isHttps: boolean;
  limits: Limits;
  url: () => string;
  allowedOrigins: () => string[];
  oidc: OidcSettings | null;
  passwords: PasswordHashing | null;
}

/** The accounts of people, on better-auth. */
export class People {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #events: EventBus;
  readonly #now: () => number;
  readonly #auth: Auth;
  readonly #oidc: Oidc | null;
  readonly #signInLimit: SignInLimit;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor({ audit, events, now, url, oidc, ...rest }: Deps) {
    this.#db = rest.db;
    this.#audit = audit;
    this.#events = events;
    this.#now = now;
    this.#signInLimit = new SignInLimit(rest.limits);
    const onSessionEnded = () => events.publish({ type: "person" });
    const options = { audit, now, onSessionEnded, ...rest };
    this.#auth = createAuth(options);
    this.#oidc = oidc && new Oidc(options, oidc, url);
  }

  /** Handles a request to one of better-auth's own routes. */
  async handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace("/api/auth", "");
    if (path === "/sign-in/social" || path.startsWith("/callback/")) return this.#handleIdentityProvider(request);
    if (path !== "/sign-in/email") return this.#auth.handler(request);
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => null);
    const email = String(body !== null && typeof body === "object" && "email" in body ? body.email : "").slice(0, 200);
    const address = request.headers.get(CLIENT_ADDRESS_HEADER) ?? "";
    const response = await this.#signInLimit.inTurn({ email, address }, async () => {
      const result = await this.#auth.handler(request);
      return { result, isWrong: result.status === 401, isRight: result.ok };
    });
    if (!response) {
      const message = "Too many people try to sign in as this person at once. Try again in a few seconds.";
      return Response.json({ message }, { status: 429, headers: { "retry-after": "5" } });
    }
    if (response.status === 401) {
      await this.#audit.append({ type: "person.sign-in-failed", actor: { type: "system" }, detail: { email } });
    }
    return response;
  }

  /** Whether the identity provider responds now; null if there is none. */
  async isIdentityProviderReachable(): Promise<boolean | null> {
    return this.#oidc && (await this.#oidc.auth()) !== null;
  }

  /** Signs in without a browser, by the same rules and limits; null if address and password do not match. */
  async signInWithPassword(
    credentials: { email: string; password: string },
    { client }: { client: string },
  ): Promise<{ person: Person; session: Session } | null> {
    const response = await this.handle(
      new Request("http://127.0.0.1/api/auth/sign-in/email", {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": client, [CLIENT_ADDRESS_HEADER]: "127.0.0.1" },
        body: JSON.stringify(credentials),
      }),
    );
    if (response.status === 429) {
      const { message } = (await response.json()) as { message?: string };
      throw new GatewayError("too-many-tries", message ?? "Too many tries. Wait a minute.");
    }
    if (!response.ok) return null;
    const cookie = response.headers.getSetCookie().map((text) => text.split(";")[0]);
    return this.sessionOf(new Headers({ cookie: cookie.join("; ") }));
  }

  async #handleIdentityProvider(request: Request): Promise<Response> {
    if (!this.#oidc)
      return Response.json({ message: "No identity provider is set up (BELAY_OIDC_ISSUER)." }, { status: 404 });
    const auth = await this.#oidc.auth();
    if (auth) return auth.handler(request);
    const message = "The identity provider cannot be reached. Try again in a moment, or sign in with a password.";
    return Response.json({ message }, { status: 503 });
  }

  /** The person and session of these cookies. */
  async sessionOf(headers: Headers): Promise<{ person: Person; session: Session } | null> {
    const found = await this.#auth.api.getSession({ headers });
    return found && { person: personFrom(found.user), session: sessionFrom(found.session) };
  }

  /** The same later on, without the cookies; null once the session has ended. */
  async findSession(id: string): Promise<{ person: Person; session: Session } | null> {
    const found = await findSession(this.#db, id);
    if (!found || found.session.expiresAt.getTime() <= this.#now()) return null;
    return { person: personFrom(found.person), session: sessionFrom(found.session) };
  }

  async hasAdmin(): Promise<boolean> {
    const { adapter } = await this.#auth.$context;
    return (await adapter.count({ model: "user", where: [{ field: "role", value: "admin" }] })) > 0;
  }

  async list(): Promise<Person[]> {
    const { internalAdapter } = await this.#auth.$context;
    return (await internalAdapter.listUsers()).map(personFrom);
  }

  /** The current state of a person, by id. */
  async find(id: string): Promise<Person> {
    const [found] = await findPeople(this.#db, [id]);
    if (found) return personFrom(found);
    throw new GatewayError("person-not-found", "This person has been removed.");
  }

  /** Those of these people who still exist and have one of the roles now. */
  async withRole(ids: readonly string[], roles: readonly Role[]): Promise<string[]> {
    const found = await findPeople(this.#db, ids);
    const allowed = new Set(found.filter((row) => roles.includes(personFrom(row).role)).map(({ id }) => id));
    return ids.filter((id) => allowed.has(id));
  }

  async add(person: NewPerson, by: Actor): Promise<Person> {
    requireStrongPassword(person.password, person);
    const { internalAdapter, password } = await this.#auth.$context;
    const email = person.email.toLowerCase();
    const { name, role } = person;
    if (await internalAdapter.findUserByEmail(email)) {
      throw new GatewayError("person-exists", `A person with the address ${email} already exists.`);
    }
    await this.#audit.append({ type: "person.added", actor: by, detail: { email, name, role } });
    const created = await internalAdapter.createUser({ email, name, role, emailVerified: true }, { method: "admin" });
    await internalAdapter.linkAccount({
      userId: created.id,
      accountId: created.id,
      providerId: "credential",
      password: await password.hash(person.password),
    });
    this.#events.publish({ type: "person" });
    return { id: created.id, email, name, role };
  }

  /** A person whose role changes is signed out of existing sessions. */
  setRole(email: string, role: Role, by: Actor): Promise<Person> {
    return this.#oneAtATime(async () => {
      const person = await this.#findByEmail(email);
      if (person.role === role) return person;
      if (role !== "admin") await this.#keepAnAdmin(person);
      const detail = { id: person.id, email: person.email, before: person.role, after: role };
      await this.#audit.append({ type: "person.role-changed", actor: by, detail });
      const { internalAdapter } = await this.#auth.$context;
      await internalAdapter.updateUser(person.id, { role });
      this.#events.publish({ type: "person" });
      return { ...person, role };
    });
  }

  /** Also ends their sessions. Their actions stay on record. */
  remove(email: string, by: Actor): Promise<Person> {
    return this.#oneAtATime(async () => {
      const person = await this.#findByEmail(email);
      await this.#keepAnAdmin(person);
      await this.#audit.append({ type: "person.removed", actor: by, detail: { before: { ...person }, after: null } });
      const { internalAdapter } = await this.#auth.$context;
      await internalAdapter.deleteUserSessions(person.id);
      await internalAdapter.deleteUser(person.id);
      this.#events.publish({ type: "person" });
      return person;
    });
  }

  /** Also signs the person out everywhere, because the old password may have been used by others. */
  async setPassword(email: string, password: string, by: Actor): Promise<Person> {
    const person = await this.#findByEmail(email);
    requireStrongPassword(password, person);
    const { internalAdapter, password: passwords } = await this.#auth.$context;
    await this.#audit.append({ type: "person.password-changed", actor: by, detail: { email: person.email } });
    const hash = await passwords.hash(password);
    const accounts = await internalAdapter.findAccounts(person.id);
    // A person who signed in with an identity provider has no password yet.
    if (accounts.some(({ providerId }) => providerId === "credential")) {
      await internalAdapter.updatePassword(person.id, hash);
    } else {
      const account = { userId: person.id, accountId: person.id, providerId: "credential", password: hash };
      await internalAdapter.linkAccount(account);
    }
    await internalAdapter.deleteUserSessions(person.id);
    await this.#signInLimit.clear(person.email);
    this.#events.publish({ type: "person" });
    return person;
  }

  /** A person's sessions, newest first. */
  async sessions(personId: string): Promise<Session[]> {
    const { internalAdapter } = await this.#auth.$context;
    const rows = (await internalAdapter.listSessions(personId)).map(sessionFrom);
    return rows.filter(({ expiresAt }) => expiresAt > this.#now()).sort((a, b) => b.createdAt - a.createdAt);
  }

  async endSession(id: string, by: Actor): Promise<void> {
    const { adapter, internalAdapter } = await this.#auth.$context;
    const row = await adapter.findOne<{ token: string; userId: string }>({
      model: "session",
      where: [{ field: "id", value: id }],
    });
    if (!row) throw new GatewayError("session-not-found", "That session has ended already.");
    const detail = { sessionId: id, personId: row.userId };
    await this.#audit.append({ type: "person.session-ended", actor: by, detail });
    await internalAdapter.deleteSession(row.token);
    this.#events.publish({ type: "person" });
  }

  async #findByEmail(email: string): Promise<Person> {
    const { internalAdapter } = await this.#auth.$context;
    const found = await internalAdapter.findUserByEmail(email.toLowerCase());
    if (found) return personFrom(found.user);
    throw new GatewayError(
      "person-not-found",
      `No person has the address ${email}. List the people to see their addresses.`,
    );
  }

  async #keepAnAdmin(person: Person): Promise<void> {
    const admins = (await this.list()).filter(({ role }) => role === "admin");
    if (person.role !== "admin" || admins.length > 1) return;
    throw new GatewayError("last-admin", `${person.email} is the only admin. Make another person an admin first.`);
  }

  /** Serialised, or two admins who demote each other at the same moment would both find the other one still there. */
  #oneAtATime<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#lastChange.then(change);
    this.#lastChange = result.catch(() => {}); // the caller gets the error
    return result;
  }
}
