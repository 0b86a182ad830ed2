import type { AgentId, IsolationChoice } from "@belay/protocol";
import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareOnce } from "../prepare-once.ts";
import { agents } from "../schema.ts";

export interface AgentRow {
  id: AgentId;
  name: string;
  profile: string;
  createdAt: number;
  revokedAt: number | null;
  /** Null: valid until revoked. */
  expiresAt: number | null;
  /** Null: set by the profile. */
  isolation: IsolationChoice | null;
  /** Null: set by the policy. */
  maxTerminals: number | null;
  /** JSON of the agent's own tool settings. */
  toolSettings: string;
  /** Where its shells start; null: the gateway's own workspace. */
  workspace: string | null;
  /** The person it acts for; null: no one in particular. */
  ownerId: string | null;
}

const shown = {
  id: agents.id,
  name: agents.name,
  profile: agents.profile,
  createdAt: agents.createdAt,
  revokedAt: agents.revokedAt,
  expiresAt: agents.expiresAt,
  isolation: agents.isolation,
  maxTerminals: agents.maxTerminals,
  toolSettings: agents.toolSettings,
  workspace: agents.workspace,
  ownerId: agents.ownerId,
};

export async function insertAgent(db: Db, row: AgentRow & { tokenHash: string }): Promise<void> {
  db.insert(agents).values(row).run();
}

export async function listAgents(db: Db): Promise<AgentRow[]> {
  return db.select(shown).from(agents).orderBy(asc(agents.createdAt)).all() as AgentRow[];
}

const byId = prepareOnce((db) =>
  db
    .select(shown)
    .from(agents)
    .where(eq(agents.id, sql.placeholder("id")))
    .prepare(),
);

export async function findAgent(db: Db, id: AgentId): Promise<AgentRow | undefined> {
  return byId(db).get({ id }) as AgentRow | undefined;
}

export async function findAgentByName(db: Db, name: string): Promise<AgentRow | undefined> {
  return db.select(shown).from(agents).where(eq(agents.name, name)).get() as AgentRow | undefined;
}

const byTokenHash = prepareOnce((db) =>
  db
    .select(shown)
    .from(agents)
    .where(eq(agents.tokenHash, sql.placeholder("tokenHash")))
    .prepare(),
);

export async function findAgentByTokenHash(db: Db, tokenHash: string): Promise<AgentRow | undefined> {
  return byTokenHash(db).get({ tokenHash }) as AgentRow | undefined;
}

export async function markAgentRevoked(db: Db, id: AgentId, revokedAt: number): Promise<void> {
  db.update(agents).set({ revokedAt }).where(eq(agents.id, id)).run();
}

export async function updateAgentToken(db: Db, id: AgentId, tokenHash: string): Promise<void> {
  db.update(agents).set({ tokenHash }).where(eq(agents.id, id)).run();
}

/** Everything about it that can change. */
export async function updateAgent(db: Db, { id, ...row }: AgentRow): Promise<void> {
  const { profile, isolation, maxTerminals, expiresAt, toolSettings, workspace, ownerId } = row;
  const changes = { profile, isolation, maxTerminals, expiresAt, toolSettings, workspace, ownerId };
  db.update(agents).set(changes).where(eq(agents.id, id)).run();
}
