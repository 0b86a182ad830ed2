import type { AgentId, CommandId, TerminalId } from "@belay/protocol";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { prepareOnce } from "../prepare-once.ts";
import { commands } from "../schema.ts";

export interface CommandRow {
  id: CommandId;
  agentId: AgentId;
  terminalId: TerminalId | null;
  line: string;
  /** JSON of the request; null once it is closed. */
  request: string | null;
  openedAt: number;
  /** Once set, the command may have run and is never started again. */
  startedAt: number | null;
  closedAt: number | null;
  /** JSON of a `CommandOutcome`; null while the command is open. */
  outcome: string | null;
}

// Synchronous, because each change is written in one transaction with its row of the record.

const insert = prepareOnce((db) =>
  db
    .insert(commands)
    .values({
      id: sql.placeholder("id"),
      agentId: sql.placeholder("agentId"),
      terminalId: sql.placeholder("terminalId"),
      line: sql.placeholder("line"),
      request: sql.placeholder("request"),
      openedAt: sql.placeholder("openedAt"),
      startedAt: sql.placeholder("startedAt"),
      closedAt: sql.placeholder("closedAt"),
      outcome: sql.placeholder("outcome"),
    })
    .prepare(),
);

export function insertCommand(db: Db, row: CommandRow): void {
  insert(db).run({ ...row });
}

const close = prepareOnce((db) =>
  db
    .update(commands)
    .set({
      closedAt: sql`${sql.placeholder("closedAt")}`,
      outcome: sql`${sql.placeholder("outcome")}`,
      line: sql`${sql.placeholder("line")}`,
      request: null,
    })
    .where(and(eq(commands.id, sql.placeholder("id")), isNull(commands.closedAt)))
    .prepare(),
);

/** Closes a command once; false if it was closed already. Its exact text is no longer needed and is redacted. */
export function closeCommand(
  db: Db,
  id: CommandId,
  closing: { closedAt: number; outcome: string; line: string },
): boolean {
  return close(db).run({ ...closing, id }).changes === 1;
}

const markStarted = prepareOnce((db) =>
  db
    .update(commands)
    .set({ startedAt: sql`${sql.placeholder("startedAt")}` })
    .where(eq(commands.id, sql.placeholder("id")))
    .prepare(),
);

export function markCommandStarted(db: Db, id: CommandId, startedAt: number): void {
  markStarted(db).run({ id, startedAt });
}

/** Newest first. */
export async function listRecentCommands(db: Db, limit: number): Promise<CommandRow[]> {
  return db.select().from(commands).orderBy(desc(commands.openedAt)).limit(limit).all() as CommandRow[];
}

/** Those that ended after this moment, of one agent or of all, newest first. */
export async function listCommandsClosedSince(
  db: Db,
  { since, agentId }: { since: number; agentId: AgentId | null },
  limit: number,
): Promise<CommandRow[]> {
  return db
    .select()
    .from(commands)
    .where(and(gt(commands.closedAt, since), agentId === null ? undefined : eq(commands.agentId, agentId)))
    .orderBy(desc(commands.closedAt))
    .limit(limit)
    .all() as CommandRow[];
}

const find = prepareOnce((db) =>
  db
    .select()
    .from(commands)
    .where(eq(commands.id, sql.placeholder("id")))
    .prepare(),
);

export async function findCommand(db: Db, id: CommandId): Promise<CommandRow | undefined> {
  return find(db).get({ id }) as CommandRow | undefined;
}

/** The agents whose commands ran in a terminal; null if none did. */
export async function findAgentOfTerminal(db: Db, terminalId: TerminalId): Promise<AgentId | null> {
  const row = db.select({ agentId: commands.agentId }).from(commands).where(eq(commands.terminalId, terminalId)).get();
  return (row?.agentId as AgentId | undefined) ?? null;
}

/** An agent's requests for a terminal, newest first. */
export async function listCommandsIn(
  db: Db,
  where: { agentId: AgentId; terminalId: TerminalId },
  limit: number,
): Promise<CommandRow[]> {
  const isThere = and(eq(commands.agentId, where.agentId), eq(commands.terminalId, where.terminalId));
  return db.select().from(commands).where(isThere).orderBy(desc(commands.openedAt)).limit(limit).all() as CommandRow[];
}

export async function listOpenCommands(db: Db): Promise<CommandRow[]> {
  return db.select().from(commands).where(isNull(commands.closedAt)).all() as CommandRow[];
}
