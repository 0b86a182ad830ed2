import type { AuditLog } from "../audit/audit-log.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { PostgresDb } from "../store/postgres/open-database.ts";
import type { SqliteDb } from "../store/sqlite/open-database.ts";
import type { PasswordHashing } from "./auth.ts";
import { FirstAdmin } from "./first-admin.ts";
import { Invitations } from "./invitations.ts";
import { type Limits, localLimits, sharedLimits } from "./limits.ts";
import { People } from "./people.ts";

export interface PeopleRoom {
  people: People;
  firstAdmin: FirstAdmin;
  invitations: Invitations;
  limits: Limits;
}

interface Deps {
  settings: Settings;
  db: SqliteDb | PostgresDb;
  audit: AuditLog;
  events: EventBus;
  /** Signs the session cookies. */
  secret: string;
  now: () => number;
  url: () => string;
  allowedOrigins: () => string[];
  passwords: PasswordHashing | null;
}

/** Opens the accounts, and the two ways to create one: the first admin's link and invitations. */
export function openPeople({ settings, ...deps }: Deps): PeopleRoom {
  const isHttps = settings.publicUrl?.startsWith("https:") ?? false;
  const { db } = deps;
  // A gateway alone needs no statement for it.
  const limits = settings.cluster && db.dialect === "postgres" ? sharedLimits(db) : localLimits();
  const people = new People({ ...deps, limits, isHttps, oidc: settings.oidc });
  return { people, firstAdmin: new FirstAdmin(people), invitations: new Invitations({ ...deps, people }), limits };
}
