import type { TerminalId } from "@belay/protocol";
import { eq, notInArray } from "drizzle-orm";
import type { Db } from "../database.ts";
import { change, queriesOf, rowsOf } from "../queries.ts";

export async function listShellMemories(db: Db): Promise<{ terminalId: TerminalId; memory: string }[]> {
  const { orm, shellMemories } = queriesOf(db);
  return (await rowsOf(orm.select().from(shellMemories))) as { terminalId: TerminalId; memory: string }[];
}

export async function saveShellMemory(db: Db, terminalId: TerminalId, memory: string): Promise<void> {
  const { orm, shellMemories } = queriesOf(db);
  const target = shellMemories.terminalId;
  await change(
    orm.insert(shellMemories).values({ terminalId, memory }).onConflictDoUpdate({ target, set: { memory } }),
  );
}

export async function deleteShellMemory(db: Db, terminalId: TerminalId): Promise<void> {
  const { orm, shellMemories } = queriesOf(db);
  await change(orm.delete(shellMemories).where(eq(shellMemories.terminalId, terminalId)));
}

/** Deletes the memories of terminals that no longer exist. */
export async function deleteOtherShellMemories(db: Db, kept: TerminalId[]): Promise<void> {
  const { orm, shellMemories } = queriesOf(db);
  await change(orm.delete(shellMemories).where(notInArray(shellMemories.terminalId, kept)));
}
