import type { AgentId, CommandId, TerminalId } from "@belay/protocol";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "./database.ts";
import { commands } from "./schema.ts";

export interface CommandRow {
  id: CommandId;
  agentId: AgentId;
  terminalId: TerminalId;
  line: string;
  openedAt: number;
  closedAt: number | null;
  /** JSON of a `CommandOutcome`; null while the command is open. */
  outcome: string | null;
}

export async function insertCommand(db: Db, row: CommandRow): Promise<void> {
  db.insert(commands).values(row).run();
}

/** Closes a command once. False where it was closed already. */
export async function closeCommand(
  db: Db,
  id: CommandId,
  closing: { closedAt: number; outcome: string },
): Promise<boolean> {
  const { changes } = db
    .update(commands)
    .set(closing)
    .where(and(eq(commands.id, id), isNull(commands.closedAt)))
    .run();
  return changes === 1;
}

export async function findCommand(db: Db, id: CommandId): Promise<CommandRow | undefined> {
  return db.select().from(commands).where(eq(commands.id, id)).get() as CommandRow | undefined;
}

export async function listOpenCommands(db: Db): Promise<CommandRow[]> {
  return db.select().from(commands).where(isNull(commands.closedAt)).all() as CommandRow[];
}
