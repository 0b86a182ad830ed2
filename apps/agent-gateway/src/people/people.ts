import type { Actor } from "@belay/protocol";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { account, session, user, verification } from "../store/schema.ts";
import { createRateLimit } from "./rate-limit.ts";

export type Role = "viewer" | "operator" | "admin";

export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export interface NewPerson {
  name: string;
  email: string;
  password: string;
  role: Role;
}

/** The header in which the gateway tells better-auth where a request came from; never taken from outside. */
export const CLIENT_ADDRESS_HEADER = "x-belay-client-address";
export const MIN_PASSWORD_LENGTH = 10;

export type People = ReturnType<typeof createPeople>;

/** The people who may sign in, on better-auth: nobody signs up by themselves. */
export function createPeople(options: {
  db: Db;
  audit: AuditLog;
  secret: string;
  now: () => number;
  isHttps: boolean;
  allowedOrigins: () => string[];
}) {
  const { db, audit } = options;
  const auth = betterAuth({
    appName: "Belay",
    basePath: "/api/auth",
    secret: options.secret,
    trustedOrigins: async () => options.allowedOrigins(),
    database: drizzleAdapter(db, { provider: "sqlite", schema: { user, session, account, verification } }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: MIN_PASSWORD_LENGTH },
    user: { additionalFields: { role: { type: "string", required: true, input: false, defaultValue: "viewer" } } },
    session: { expiresIn: 7 * 24 * 3600, updateAge: 24 * 3600 },
    rateLimit: {
      enabled: true,
      window: 10,
      max: 100,
      customRules: { "/sign-in/email": { window: 60, max: 20 } },
      customStorage: createRateLimit(options.now),
    },
    advanced: {
      cookiePrefix: "belay",
      useSecureCookies: options.isHttps,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    telemetry: { enabled: false },
    logger: { disabled: true },
    databaseHooks: {
      session: {
        create: {
          // Before, so that nobody is signed in whose sign-in could not be recorded.
          before: async (created) => {
            await audit.append({ type: "person.signed-in", actor: { type: "person", id: created.userId } });
          },
        },
        delete: {
          before: async (ended) => {
            await audit.append({ type: "person.signed-out", actor: { type: "person", id: ended.userId } });
          },
        },
      },
    },
  });

  async function findPerson(email: string): Promise<Person> {
    const { internalAdapter } = await auth.$context;
    const found = await internalAdapter.findUserByEmail(email.toLowerCase());
    if (!found)
      throw new GatewayError("person-not-found", `Nobody has the address ${email}. List the people to see theirs.`);
    return personFrom(found.user);
  }

  return {
    handle: (request: Request): Promise<Response> => auth.handler(request),

    async personOf(headers: Headers): Promise<Person | null> {
      const found = await auth.api.getSession({ headers });
      return found ? personFrom(found.user) : null;
    },

    async hasAdmin(): Promise<boolean> {
      const { adapter } = await auth.$context;
      return (await adapter.count({ model: "user", where: [{ field: "role", value: "admin" }] })) > 0;
    },

    async add(person: NewPerson, by: Actor): Promise<Person> {
      requireStrong(person.password);
      const { internalAdapter, password } = await auth.$context;
      const email = person.email.toLowerCase();
      if (await internalAdapter.findUserByEmail(email)) {
        throw new GatewayError("person-exists", `There is a person with the address ${email} already.`);
      }
      await audit.append({ type: "person.added", actor: by, detail: { email, name: person.name, role: person.role } });
      const created = await internalAdapter.createUser(
        { email, name: person.name, role: person.role, emailVerified: true },
        { method: "admin" },
      );
      await internalAdapter.linkAccount({
        userId: created.id,
        accountId: created.id,
        providerId: "credential",
        password: await password.hash(person.password),
      });
      return { id: created.id, email, name: person.name, role: person.role };
    },

    async list(): Promise<Person[]> {
      const { internalAdapter } = await auth.$context;
      return (await internalAdapter.listUsers()).map(personFrom);
    },

    async setRole(email: string, role: Role, by: Actor): Promise<Person> {
      const person = await findPerson(email);
      const admins = (await this.list()).filter((someone) => someone.role === "admin");
      if (person.role === "admin" && role !== "admin" && admins.length === 1) {
        throw new GatewayError("last-admin", `${email} is the only admin. Make somebody else an admin first.`);
      }
      await audit.append({
        type: "person.role-changed",
        actor: by,
        detail: { email, before: person.role, after: role },
      });
      const { internalAdapter } = await auth.$context;
      await internalAdapter.updateUser(person.id, { role });
      return { ...person, role };
    },

    /** Also signs the person out everywhere: whoever had the old password may be signed in with it. */
    async setPassword(email: string, password: string, by: Actor): Promise<Person> {
      requireStrong(password);
      const person = await findPerson(email);
      const context = await auth.$context;
      await audit.append({ type: "person.password-changed", actor: by, detail: { email } });
      await context.internalAdapter.updatePassword(person.id, await context.password.hash(password));
      await context.internalAdapter.deleteUserSessions(person.id);
      return person;
    },
  };
}

function requireStrong(password: string): void {
  if (password.length >= MIN_PASSWORD_LENGTH) return;
  throw new GatewayError("weak-password", `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`);
}

function personFrom(row: { id: string; name: string; email: string; role?: unknown }): Person {
  const role = row.role === "admin" || row.role === "operator" ? row.role : "viewer";
  return { id: row.id, name: row.name, email: row.email, role };
}
