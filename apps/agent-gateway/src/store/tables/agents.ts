import type { AgentId, IsolationChoice } from "@belay/protocol";
import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareRows } from "../prepare-once.ts";
import { change, type Queries, queriesOf, rowOf, rowsOf } from "../queries.ts";

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
  /** The machines it may use, separated by commas; its shells start on the first. */
  machines: string;
}

/** All but the hash of the token. */
const shown = ({ agents }: Queries) => ({
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
  machines: agents.machines,
});

export async function insertAgent(db: Db, row: AgentRow & { tokenHash: string }): Promise<void> {
  const { orm, agents } = queriesOf(db);
  await change(orm.insert(agents).values(row));
}

export async function listAgents(db: Db): Promise<AgentRow[]> {
  const queries = queriesOf(db);
  const { orm, agents } = queries;
  return (await rowsOf(orm.select(shown(queries)).from(agents).orderBy(asc(agents.createdAt)))) as AgentRow[];
}

const byId = prepareRows((queries) => {
  const { orm, agents } = queries;
  return orm
    .select(shown(queries))
    .from(agents)
    .where(eq(agents.id, sql.placeholder("id")));
});

export async function findAgent(db: Db, id: AgentId): Promise<AgentRow | undefined> {
  return (await byId.row(db, { id })) as AgentRow | undefined;
}

export async function findAgentByName(db: Db, name: string): Promise<AgentRow | undefined> {
  const queries = queriesOf(db);
  const { orm, agents } = queries;
  return (await rowOf(orm.select(shown(queries)).from(agents).where(eq(agents.name, name)))) as AgentRow | undefined;
}

const byTokenHash = prepareRows((queries) => {
  const { orm, agents } = queries;
  return orm
    .select(shown(queries))
    .from(agents)
    .where(eq(agents.tokenHash, sql.placeholder("tokenHash")));
});

export async function findAgentByTokenHash(db: Db, tokenHash: string): Promise<AgentRow | undefined> {
  return (await byTokenHash.row(db, { tokenHash })) as AgentRow | undefined;
}

export async function markAgentRevoked(db: Db, id: AgentId, revokedAt: number): Promise<void> {
  const { orm, agents } = queriesOf(db);
  await change(orm.update(agents).set({ revokedAt }).where(eq(agents.id, id)));
}

export async function updateAgentToken(db: Db, id: AgentId, tokenHash: string): Promise<void> {
  const { orm, agents } = queriesOf(db);
  await change(orm.update(agents).set({ tokenHash }).where(eq(agents.id, id)));
}

/** Everything about it that can change. */
export async function updateAgent(db: Db, { id, ...row }: AgentRow): Promise<void> {
  const { profile, isolation, maxTerminals, expiresAt, toolSettings, workspace, ownerId, machines } = row;
  const changes = { profile, isolation, maxTerminals, expiresAt, toolSettings, workspace, ownerId, machines };
  const { orm, agents } = queriesOf(db);
  await change(orm.update(agents).set(changes).where(eq(agents.id, id)));
}
