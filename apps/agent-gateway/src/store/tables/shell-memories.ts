import type { TerminalId } from "@belay/protocol";
import { and, eq, notInArray } from "drizzle-orm";
import type { Db } from "../database.ts";
import { change, queriesOf, rowsOf } from "../queries.ts";

export async function listShellMemories(db: Db): Promise<{ terminalId: TerminalId; memory: string }[]> {
  const { orm, shellMemories, gateway } = queriesOf(db);
  const own = orm
    .select({ terminalId: shellMemories.terminalId, memory: shellMemories.memory })
    .from(shellMemories)
    .where(eq(shellMemories.gateway, gateway));
  return (await rowsOf(own)) as { terminalId: TerminalId; memory: string }[];
}

export async function saveShellMemory(db: Db, terminalId: TerminalId, memory: string): Promise<void> {
  const { orm, shellMemories, gateway } = queriesOf(db);
  const target = shellMemories.terminalId;
  await change(
    orm.insert(shellMemories).values({ terminalId, memory, gateway }).onConflictDoUpdate({ target, set: { memory } }),
  );
}

export async function deleteShellMemory(db: Db, terminalId: TerminalId): Promise<void> {
  const { orm, shellMemories } = queriesOf(db);
  await change(orm.delete(shellMemories).where(eq(shellMemories.terminalId, terminalId)));
}

/** Deletes the memories of this gateway's terminals that no longer exist. */
export async function deleteOtherShellMemories(db: Db, kept: TerminalId[]): Promise<void> {
  const { orm, shellMemories, gateway } = queriesOf(db);
  const isGone = and(eq(shellMemories.gateway, gateway), notInArray(shellMemories.terminalId, kept));
  await change(orm.delete(shellMemories).where(isGone));
}
