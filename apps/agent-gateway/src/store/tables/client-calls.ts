import { redactSecrets } from "@belay/core";
import type { AgentId, CommandId, HookClient } from "@belay/protocol";
import { and, desc, eq, inArray, isNull, max, min, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { clientCalls, commands } from "../schema.ts";
import type { CommandRow } from "./commands.ts";

/** One conversation of a client, by the names that identify it. */
export interface ClientSessionKey {
  agentId: AgentId;
  client: HookClient;
  /** Null if the client gives none. */
  session: string | null;
}

export interface ClientSessionRow extends ClientSessionKey {
  cwd: string;
  calls: number;
  firstAt: number;
  lastAt: number;
}

interface ClientCall extends ClientSessionKey {
  commandId: CommandId;
  callId: string | null;
  line: string;
  cwd: string;
  openedAt: number;
}

/** Written in one transaction with its row of the record, hence not async. */
export function insertClientCall(db: Db, call: ClientCall): void {
  const { commandId, agentId, client, session, callId, line, cwd, openedAt } = call;
  const row = { commandId, agentId, client, session: session ?? "", callId, line: redactSecrets(line), cwd, openedAt };
  db.insert(clientCalls).values(row).run();
}

/** The newest call that a report matches: by the client's own id, or by its text if there is none. */
export async function findUnreportedCall(
  db: Db,
  key: ClientSessionKey,
  call: { callId: string | null; line: string | null },
): Promise<CommandId | null> {
  const which =
    call.callId !== null ? eq(clientCalls.callId, call.callId) : eq(clientCalls.line, redactSecrets(call.line ?? ""));
  const row = db
    .select({ commandId: clientCalls.commandId })
    .from(clientCalls)
    .where(and(isOf(key), which, isNull(clientCalls.reportedAt)))
    .orderBy(desc(clientCalls.openedAt))
    .limit(1)
    .get();
  return (row?.commandId as CommandId | undefined) ?? null;
}

export function markReported(db: Db, commandId: CommandId, reportedAt: number): void {
  db.update(clientCalls).set({ reportedAt }).where(eq(clientCalls.commandId, commandId)).run();
}

/** The most recently active conversations, newest first. */
export async function listClientSessions(db: Db, limit: number): Promise<ClientSessionRow[]> {
  const { agentId, client, session, cwd, openedAt } = clientCalls;
  const lastAt = max(openedAt);
  const rows = db
    .select({ agentId, client, session, cwd, calls: sql<number>`count(*)`, firstAt: min(openedAt), lastAt })
    .from(clientCalls)
    .groupBy(agentId, client, session)
    .orderBy(desc(lastAt))
    .limit(limit)
    .all();
  return rows.map((row) => ({ ...row, session: row.session || null }) as ClientSessionRow);
}

/** The commands of a conversation, newest first. */
export async function listCommandsOfSession(db: Db, key: ClientSessionKey, limit: number): Promise<CommandRow[]> {
  const ids = db
    .select({ id: clientCalls.commandId })
    .from(clientCalls)
    .where(isOf(key))
    .orderBy(desc(clientCalls.openedAt))
    .limit(limit);
  return db
    .select()
    .from(commands)
    .where(inArray(commands.id, ids))
    .orderBy(desc(commands.openedAt))
    .all() as CommandRow[];
}

function isOf({ agentId, client, session }: ClientSessionKey) {
  return and(eq(clientCalls.agentId, agentId), eq(clientCalls.client, client), eq(clientCalls.session, session ?? ""));
}
