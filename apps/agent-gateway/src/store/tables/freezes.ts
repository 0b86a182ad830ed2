import type { AgentId } from "@belay/protocol";
import { eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareOnce } from "../prepare-once.ts";
import { freezes } from "../schema.ts";

/** All agents, or one. */
export type FreezeScope = "*" | AgentId;

export interface FreezeRow {
  scope: FreezeScope;
  at: number;
  /** JSON of the actor. */
  by: string;
}

export async function insertFreeze(db: Db, row: FreezeRow): Promise<boolean> {
  return db.insert(freezes).values(row).onConflictDoNothing().run().changes === 1;
}

export async function deleteFreeze(db: Db, scope: FreezeScope): Promise<boolean> {
  return db.delete(freezes).where(eq(freezes.scope, scope)).run().changes === 1;
}

const all = prepareOnce((db) => db.select().from(freezes).prepare());

export async function listFreezes(db: Db): Promise<FreezeRow[]> {
  return all(db).all() as FreezeRow[];
}
