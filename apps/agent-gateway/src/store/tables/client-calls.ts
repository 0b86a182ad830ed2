import { redactSecrets } from "@belay/core";
import type { AgentId, CommandId, HookClient } from "@belay/protocol";
import { and, count, desc, eq, inArray, isNull, max, min, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { type Queries, queriesOf, rowOf, rowsOf, type Write, write } from "../queries.ts";
import type { CommandRow } from "./commands.ts";

/** One conversation of a client, by the names that identify it. */
export interface ClientConversationKey {
  agentId: AgentId;
  client: HookClient;
  /** Null if the client gives none. */
  session: string | null;
}

export interface ClientConversationRow extends ClientConversationKey {
  cwd: string;
  calls: number;
  firstAt: number;
  lastAt: number;
}

interface ClientCall extends ClientConversationKey {
  commandId: CommandId;
  callId: string | null;
  line: string;
  cwd: string;
  openedAt: number;
}

/** Committed with its row of the record. */
export function insertClientCall(db: Db, call: ClientCall): Write {
  const { commandId, agentId, client, session, callId, line, cwd, openedAt } = call;
  const row = { commandId, agentId, client, session: session ?? "", callId, line: redactSecrets(line), cwd, openedAt };
  const { orm, clientCalls } = queriesOf(db);
  return write(orm.insert(clientCalls).values(row));
}

/** The newest call that a report matches: by the client's own id, or by its text if there is none. */
export async function findUnreportedCall(
  db: Db,
  key: ClientConversationKey,
  call: { callId: string | null; line: string | null },
): Promise<CommandId | null> {
  const { orm, clientCalls } = queriesOf(db);
  const which =
    call.callId !== null ? eq(clientCalls.callId, call.callId) : eq(clientCalls.line, redactSecrets(call.line ?? ""));
  const newest = orm
    .select({ commandId: clientCalls.commandId })
    .from(clientCalls)
    .where(and(isOf(clientCalls, key), which, isNull(clientCalls.reportedAt)))
    .orderBy(desc(clientCalls.openedAt))
    .limit(1);
  const row = await rowOf(newest);
  return (row?.commandId as CommandId | undefined) ?? null;
}

/** Committed with its row of the record. */
export function markReported(db: Db, commandId: CommandId, reportedAt: number): Write {
  const { orm, clientCalls } = queriesOf(db);
  return write(orm.update(clientCalls).set({ reportedAt }).where(eq(clientCalls.commandId, commandId)));
}

/** The most recently active conversations, newest first. */
export async function listClientConversations(db: Db, limit: number): Promise<ClientConversationRow[]> {
  const { orm, clientCalls } = queriesOf(db);
  const { agentId, client, session, openedAt } = clientCalls;
  const cwd = sql<string>`(SELECT newest.cwd FROM client_calls AS newest WHERE newest.agent_id = client_calls.agent_id
    AND newest.client = client_calls.client AND newest.session = client_calls.session ORDER BY newest.opened_at DESC LIMIT 1)`;
  const lastAt = max(openedAt);
  const newest = orm
    .select({ agentId, client, session, cwd, calls: count(), firstAt: min(openedAt), lastAt })
    .from(clientCalls)
    .groupBy(agentId, client, session)
    .orderBy(desc(lastAt))
    .limit(limit);
  return (await rowsOf(newest)).map((row) => ({ ...row, session: row.session || null }) as ClientConversationRow);
}

/** The commands of a conversation, newest first. */
export async function listCommandsOfConversation(
  db: Db,
  key: ClientConversationKey,
  limit: number,
): Promise<CommandRow[]> {
  const { orm, clientCalls, commands } = queriesOf(db);
  const ids = orm
    .select({ id: clientCalls.commandId })
    .from(clientCalls)
    .where(isOf(clientCalls, key))
    .orderBy(desc(clientCalls.openedAt))
    .limit(limit);
  const found = orm.select().from(commands).where(inArray(commands.id, ids)).orderBy(desc(commands.openedAt));
  return (await rowsOf(found)) as CommandRow[];
}

function isOf(clientCalls: Queries["clientCalls"], { agentId, client, session }: ClientConversationKey) {
  return and(eq(clientCalls.agentId, agentId), eq(clientCalls.client, client), eq(clientCalls.session, session ?? ""));
}
