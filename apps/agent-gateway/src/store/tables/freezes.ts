import type { AgentId } from "@belay/protocol";
import { eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareRows } from "../prepare-once.ts";
import { change, queriesOf } from "../queries.ts";

/** All agents, or one. */
export type FreezeScope = "*" | AgentId;

export interface FreezeRow {
  scope: FreezeScope;
  at: number;
  /** JSON of the actor. */
  by: string;
}

export async function insertFreeze(db: Db, row: FreezeRow): Promise<boolean> {
  const { orm, freezes } = queriesOf(db);
  return (await change(orm.insert(freezes).values(row).onConflictDoNothing())) === 1;
}

export async function deleteFreeze(db: Db, scope: FreezeScope): Promise<boolean> {
  const { orm, freezes } = queriesOf(db);
  return (await change(orm.delete(freezes).where(eq(freezes.scope, scope)))) === 1;
}

const all = prepareRows(({ orm, freezes }) => orm.select().from(freezes));

export async function listFreezes(db: Db): Promise<FreezeRow[]> {
  return (await all.rows(db)) as FreezeRow[];
}
