import type { ApprovalId, ApprovalState } from "@belay/protocol";
import { and, count, desc, eq, gte, lt } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { queriesOf, rowsOf } from "../../queries.ts";

interface Range {
  from: number;
  to: number;
}

const ROWS_PER_PAGE = 2_000;

/** When each command was judged and what the verdict was, newest first, in pages. */
export async function* listVerdicts(
  db: Db,
  { from, to }: Range,
): AsyncGenerator<{ at: number; decision: string | null }[]> {
  const { orm, auditEvents, decision, recordedBetween } = queriesOf(db);
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const judged = orm
      .select({
        seq: auditEvents.seq,
        at: auditEvents.at,
        decision,
      })
      .from(auditEvents)
      .where(and(eq(auditEvents.type, "command.judged"), recordedBetween(from, to), lt(auditEvents.seq, before)))
      .orderBy(desc(auditEvents.seq))
      .limit(ROWS_PER_PAGE);
    const page = await rowsOf(judged);
    yield page.filter(({ at }) => at >= from && at < to);
    const last = page.at(-1);
    // Clocks can step back a little, so a page is the last one only if all of it is older.
    if (!last || page.length < ROWS_PER_PAGE || page.every(({ at }) => at < from)) return;
    before = last.seq;
  }
}

export interface ApprovalFact {
  id: ApprovalId;
  text: string;
  status: ApprovalState["status"];
  createdAt: number;
  /** Null if it was not answered. */
  answeredAt: number | null;
  by: string[];
}

/** Questions, newest first. */
export async function listApprovalFacts(db: Db, { from, to }: Range, limit: number): Promise<ApprovalFact[]> {
  const { orm, approvals } = queriesOf(db);
  const newest = orm
    .select({ id: approvals.id, text: approvals.text, createdAt: approvals.createdAt, state: approvals.state })
    .from(approvals)
    .where(and(gte(approvals.createdAt, from), lt(approvals.createdAt, to)))
    .orderBy(desc(approvals.createdAt))
    .limit(limit);
  return (await rowsOf(newest)).map(({ id, state: stored, ...row }) => {
    const state = JSON.parse(stored) as ApprovalState;
    const isAnswered = state.status === "approved" || state.status === "denied";
    return {
      ...row,
      id: id as ApprovalId,
      status: state.status,
      answeredAt: isAnswered ? state.at : null,
      by: isAnswered ? [state.by].flat() : [],
    };
  });
}

/** The agents with the most finished commands, in descending order. */
export async function countCommandsByAgent(
  db: Db,
  { from, to }: Range,
  limit: number,
): Promise<{ agentId: string; commands: number }[]> {
  const { orm, commands } = queriesOf(db);
  const number = count();
  const most = orm
    .select({ agentId: commands.agentId, commands: number })
    .from(commands)
    .where(and(gte(commands.closedAt, from), lt(commands.closedAt, to)))
    .groupBy(commands.agentId)
    .orderBy(desc(number))
    .limit(limit);
  return rowsOf(most);
}
