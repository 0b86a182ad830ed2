import type { AgentId, CommandId, TerminalId } from "@belay/protocol";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../database.ts";
import { prepareRows, prepareWrite } from "../prepare-once.ts";
import { queriesOf, rowOf, rowsOf, type Write } from "../queries.ts";

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

// Each change is committed with its row of the record.

const insert = prepareWrite(({ orm, commands }) =>
  orm.insert(commands).values({
    id: sql.placeholder("id"),
    agentId: sql.placeholder("agentId"),
    terminalId: sql.placeholder("terminalId"),
    line: sql.placeholder("line"),
    request: sql.placeholder("request"),
    openedAt: sql.placeholder("openedAt"),
    startedAt: sql.placeholder("startedAt"),
    closedAt: sql.placeholder("closedAt"),
    outcome: sql.placeholder("outcome"),
    gateway: sql.placeholder("gateway"),
  }),
);

export function insertCommand(db: Db, row: CommandRow): Write {
  return insert(db, { ...row, gateway: queriesOf(db).gateway });
}

const close = prepareWrite(({ orm, commands }) =>
  orm
    .update(commands)
    .set({
      closedAt: sql`${sql.placeholder("closedAt")}`,
      outcome: sql`${sql.placeholder("outcome")}`,
      line: sql`${sql.placeholder("line")}`,
      request: null,
    })
    .where(and(eq(commands.id, sql.placeholder("id")), isNull(commands.closedAt))),
);

/** Closes a command once; refused if it was closed already. Its exact text is no longer needed and is redacted. */
export function closeCommand(
  db: Db,
  id: CommandId,
  closing: { closedAt: number; outcome: string; line: string },
): Write {
  const refusal = () => new GatewayError("already-settled", "It was closed already.");
  return { ...close(db, { ...closing, id }), refusal };
}

const markStarted = prepareWrite(({ orm, commands }) =>
  orm
    .update(commands)
    .set({ startedAt: sql`${sql.placeholder("startedAt")}` })
    .where(and(eq(commands.id, sql.placeholder("id")), isNull(commands.closedAt))),
);

/** For a command that others can see: refused if another gateway closed it, because it took this one for dead. */
export function markCommandStarted(db: Db, id: CommandId, startedAt: number): Write {
  const refusal = () =>
    new GatewayError("already-settled", "Another gateway closed this command, so it does not start.");
  return { ...markStarted(db, { id, startedAt }), refusal };
}

/** Newest first. */
export async function listRecentCommands(db: Db, limit: number): Promise<CommandRow[]> {
  const { orm, commands } = queriesOf(db);
  return (await rowsOf(orm.select().from(commands).orderBy(desc(commands.openedAt)).limit(limit))) as CommandRow[];
}

/** Those that ended after this moment, of one agent or of all, newest first. */
export async function listCommandsClosedSince(
  db: Db,
  { since, agentId }: { since: number; agentId: AgentId | null },
  limit: number,
): Promise<CommandRow[]> {
  const { orm, commands } = queriesOf(db);
  const newest = orm
    .select()
    .from(commands)
    .where(and(gt(commands.closedAt, since), agentId === null ? undefined : eq(commands.agentId, agentId)))
    .orderBy(desc(commands.closedAt))
    .limit(limit);
  return (await rowsOf(newest)) as CommandRow[];
}

const find = prepareRows(({ orm, commands }) =>
  orm
    .select()
    .from(commands)
    .where(eq(commands.id, sql.placeholder("id"))),
);

export async function findCommand(db: Db, id: CommandId): Promise<CommandRow | undefined> {
  return (await find.row(db, { id })) as CommandRow | undefined;
}

/** The agents whose commands ran in a terminal; null if none did. */
export async function findAgentOfTerminal(db: Db, terminalId: TerminalId): Promise<AgentId | null> {
  const { orm, commands } = queriesOf(db);
  const some = orm
    .select({ agentId: commands.agentId })
    .from(commands)
    .where(eq(commands.terminalId, terminalId))
    .limit(1);
  const row = await rowOf(some);
  return (row?.agentId as AgentId | undefined) ?? null;
}

/** An agent's requests for a terminal, newest first. */
export async function listCommandsIn(
  db: Db,
  where: { agentId: AgentId; terminalId: TerminalId },
  limit: number,
): Promise<CommandRow[]> {
  const { orm, commands } = queriesOf(db);
  const isThere = and(eq(commands.agentId, where.agentId), eq(commands.terminalId, where.terminalId));
  const newest = orm.select().from(commands).where(isThere).orderBy(desc(commands.openedAt)).limit(limit);
  return (await rowsOf(newest)) as CommandRow[];
}

/** Those of this gateway, or of another one that is gone. */
export async function listOpenCommands(db: Db, of?: { gateway: number }): Promise<CommandRow[]> {
  const { orm, commands, gateway } = queriesOf(db);
  const isOpen = and(isNull(commands.closedAt), eq(commands.gateway, of?.gateway ?? gateway));
  return (await rowsOf(orm.select().from(commands).where(isOpen))) as CommandRow[];
}

/** Whether a command was submitted at this gateway. */
export async function isOwnCommand(db: Db, id: CommandId): Promise<boolean> {
  const { orm, commands, gateway } = queriesOf(db);
  const own = and(eq(commands.id, id), eq(commands.gateway, gateway));
  return (await rowOf(orm.select({ id: commands.id }).from(commands).where(own))) !== undefined;
}
