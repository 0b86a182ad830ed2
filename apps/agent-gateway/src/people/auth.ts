import type { Actor } from "@belay/protocol";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { peopleAdapter } from "../store/people-adapter.ts";
import type { Limits } from "./limits.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, requireStrongPassword } from "./password-rules.ts";
import type { Role } from "./person.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";

/** The header in which the gateway passes the client's address to better-auth; stripped from incoming requests. */
export const CLIENT_ADDRESS_HEADER = "x-belay-client-address";

/** How passwords are hashed. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

export interface AuthOptions {
  db: Db;
  audit: AuditLog;
  secret: string;
  now: () => number;
  isHttps: boolean;
  limits: Limits;
  allowedOrigins: () => string[];
  /** Null: as better-auth does it, which is slow on purpose. */
  passwords: PasswordHashing | null;
  /** A person was signed out of a session. */
  onSessionEnded: () => void;
}

export type Auth = ReturnType<typeof createAuth>;

/** Extra options for an identity provider. */
export interface IdentityProviderOptions {
  plugin: BetterAuthPlugin;
  /** The provider's redirect address. */
  url: string;
  /** The role of people who were not added before. */
  newRole: Role | null;
}

/** better-auth as Belay uses it: no self-registration, and every event is recorded before it takes effect. */
export function createAuth(options: AuthOptions, provider: IdentityProviderOptions | null = null) {
  const { db, audit } = options;
  return betterAuth({
    appName: "Belay",
    ...(provider ? { baseURL: provider.url } : {}),
    basePath: "/api/auth",
    secret: options.secret,
    plugins: provider ? [provider.plugin] : [],
    trustedOrigins: async () => options.allowedOrigins(),
    database: peopleAdapter(db),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      ...(options.passwords && { password: options.passwords }),
    },
    user: { additionalFields: { role: { type: "string", required: true, input: false, defaultValue: "viewer" } } },
    session: { expiresIn: 7 * 24 * 3600, updateAge: 24 * 3600 },
    rateLimit: {
      enabled: true,
      window: 10,
      max: 100,
      customRules: { "/sign-in/email": { window: 60, max: 20 }, "/change-password": { window: 60, max: 10 } },
      customStorage: rateLimitOf(options.limits),
    },
    advanced: {
      cookiePrefix: "belay",
      useSecureCookies: options.isHttps,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    telemetry: { enabled: false },
    logger: { disabled: true },
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        if (ctx.path === "/change-password") {
          const signedIn = await getSessionFromCtx(ctx);
          if (signedIn) requireStrong(String(ctx.body?.newPassword ?? ""), signedIn.user);
        }
      }),
    },
    databaseHooks: {
      session: {
        create: {
          // Before the sign-in, so that a sign-in that cannot be recorded fails.
          before: async ({ userId, ipAddress, userAgent }) => {
            const detail = { address: ipAddress || null, client: userAgent || null };
            await audit.append({ type: "person.signed-in", actor: person(userId), detail });
          },
        },
        delete: {
          before: async ({ userId }, ctx) => {
            // Sessions that are ended otherwise are recorded by that code.
            if (ctx?.path === "/sign-out") await audit.append({ type: "person.signed-out", actor: person(userId) });
          },
          after: async () => options.onSessionEnded(),
        },
      },
      user: {
        create: {
          before: async (created, ctx) => {
            if (!ctx?.path.startsWith("/callback/")) return;
            if (!provider?.newRole || !created.emailVerified) throw new APIError("FORBIDDEN");
            const { email, name } = created;
            const detail = { email, name, role: provider.newRole, by: "provider" };
            await audit.append({ type: "person.added", actor: { type: "system" }, detail });
            return { data: { ...created, role: provider.newRole } };
          },
        },
      },
      account: {
        create: {
          before: async ({ userId, providerId, accountId }, ctx) => {
            if (!ctx?.path.startsWith("/callback/")) return;
            await audit.append({
              type: "person.account-linked",
              actor: person(userId),
              detail: { providerId, accountId },
            });
          },
        },
        update: {
          before: async (changed, ctx) => {
            if (ctx?.path !== "/change-password" || changed.password === undefined) return;
            const by = ctx.context.session?.user;
            if (!by) throw new APIError("UNAUTHORIZED");
            await audit.append({ type: "person.password-changed", actor: person(by.id), detail: { email: by.email } });
          },
        },
      },
    },
  });
}

function requireStrong(password: string, who: { email: string; name: string }): void {
  try {
    requireStrongPassword(password, who);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new APIError("BAD_REQUEST", { message: error.message, code: "WEAK_PASSWORD" });
  }
}

function person(id: string): Actor {
  return { type: "person", id };
}

/** Where passwords can be guessed. */
const IS_GUESSED = /\/(?:sign-in\/email|change-password)$/;

/** All gateways count guesses together. Other requests are only kept from being too many for this one. */
function rateLimitOf({ rateLimit: guesses }: Limits): RateLimit {
  const others = createRateLimit();
  return { consume: (key, rule) => (IS_GUESSED.test(key) ? guesses : others).consume(key, rule) };
}
