import type { TerminalId } from "@belay/protocol";
import { eq, notInArray } from "drizzle-orm";
import type { Db } from "../database.ts";
import { shellMemories } from "../schema.ts";

export async function listShellMemories(db: Db): Promise<{ terminalId: TerminalId; memory: string }[]> {
  return db.select().from(shellMemories).all() as { terminalId: TerminalId; memory: string }[];
}

export async function saveShellMemory(db: Db, terminalId: TerminalId, memory: string): Promise<void> {
  db.insert(shellMemories)
    .values({ terminalId, memory })
    .onConflictDoUpdate({ target: shellMemories.terminalId, set: { memory } })
    .run();
}

export async function deleteShellMemory(db: Db, terminalId: TerminalId): Promise<void> {
  db.delete(shellMemories).where(eq(shellMemories.terminalId, terminalId)).run();
}

/** Deletes the memories of terminals that no longer exist. */
export async function deleteOtherShellMemories(db: Db, kept: TerminalId[]): Promise<void> {
  db.delete(shellMemories).where(notInArray(shellMemories.terminalId, kept)).run();
}
