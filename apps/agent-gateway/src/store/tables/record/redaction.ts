import type { CommandId } from "@belay/protocol";
import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { type Queries, queriesOf, rowsOf, type Write, type Writes, write } from "../../queries.ts";

const GONE = "(redacted)";

type StoredEvent = Queries["auditEvents"]["$inferSelect"];

export async function findRowsOf(db: Db, what: { seq: number } | { commandId: CommandId }): Promise<StoredEvent[]> {
  const { orm, auditEvents } = queriesOf(db);
  const isMeant = "seq" in what ? eq(auditEvents.seq, what.seq) : eq(auditEvents.commandId, what.commandId);
  const rows = await rowsOf(orm.select().from(auditEvents).where(isMeant).orderBy(asc(auditEvents.seq)));
  return rows.filter(({ type }) => "seq" in what || type !== "audit.redacted");
}

/** Committed with the row that declares it. */
export function eraseDetails(db: Db, seqs: readonly number[]): Write {
  return queriesOf(db).eraseDetails(seqs);
}

/**
 * Erases what other tables keep of a command that is over: its text, how it ended, what people were asked and proposed.
 * Its questions are settled, so they are the same when the writes are committed.
 */
export async function prepareErasure(db: Db, commandId: CommandId): Promise<Writes> {
  const { orm, approvals } = queriesOf(db);
  const { id, verdict, state } = approvals;
  const asked = await rowsOf(
    orm.select({ id, verdict, state }).from(approvals).where(eq(approvals.commandId, commandId)),
  );
  return (tx) => [...eraseCommand(tx, commandId), ...asked.map((question) => eraseQuestion(tx, question))];
}

function eraseCommand(db: Db, commandId: CommandId): Write[] {
  const { orm, approvals, clientCalls, commands, grants, policyProposals } = queriesOf(db);
  const outcome = JSON.stringify({ status: "failed", message: GONE });
  const isIt = eq(commands.id, commandId);
  const asked = orm.select({ id: approvals.id }).from(approvals).where(eq(approvals.commandId, commandId));
  return [
    write(orm.update(commands).set({ line: GONE, request: null }).where(isIt)),
    write(
      orm
        .update(commands)
        .set({ outcome })
        .where(and(isIt, isNotNull(commands.outcome))),
    ),
    write(orm.update(clientCalls).set({ line: GONE }).where(eq(clientCalls.commandId, commandId))),
    write(orm.delete(grants).where(inArray(grants.approvalId, asked))),
    // A rule that was proposed from it may name what it was called with.
    write(orm.delete(policyProposals).where(inArray(policyProposals.approvalId, asked))),
  ];
}

function eraseQuestion(db: Db, question: { id: string; verdict: string; state: string }): Write {
  const { orm, approvals } = queriesOf(db);
  const verdict = JSON.stringify({ ...JSON.parse(question.verdict), matches: [], runs: [], rewrite: null });
  const state = JSON.parse(question.state) as { editedText?: unknown };
  const kept = typeof state.editedText === "string" ? { ...state, editedText: GONE } : state;
  return write(
    orm
      .update(approvals)
      .set({ text: GONE, binding: "{}", verdict, state: JSON.stringify(kept) })
      .where(eq(approvals.id, question.id)),
  );
}
