import type { CommandId } from "@belay/protocol";
import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../database.ts";
import { approvals, auditEvents, clientCalls, commands, grants, policyProposals } from "../../schema.ts";

const GONE = "(redacted)";
/** The same text as in `audit/redact/redaction-proof.ts`; the table's trigger allows no other. */
const ERASED_DETAIL = '{"redacted":true}';

type StoredEvent = typeof auditEvents.$inferSelect;

export async function findRowsOf(db: Db, what: { seq: number } | { commandId: CommandId }): Promise<StoredEvent[]> {
  const isMeant = "seq" in what ? eq(auditEvents.seq, what.seq) : eq(auditEvents.commandId, what.commandId);
  return db
    .select()
    .from(auditEvents)
    .where(isMeant)
    .orderBy(asc(auditEvents.seq))
    .all()
    .filter(({ type }) => "seq" in what || type !== "audit.redacted");
}

/** Written in one transaction with the row that declares it, hence not async. */
export function eraseDetails(db: Db, seqs: readonly number[]): void {
  db.update(auditEvents)
    .set({ detail: ERASED_DETAIL })
    .where(inArray(auditEvents.seq, [...seqs]))
    .run();
}

/** What other tables keep of a command that is over: its text, how it ended, what people were asked and proposed. */
export function eraseCommand(db: Db, commandId: CommandId): void {
  const outcome = JSON.stringify({ status: "failed", message: GONE });
  db.update(commands)
    .set({
      line: GONE,
      request: null,
      outcome: sql`CASE WHEN ${commands.outcome} IS NULL THEN NULL ELSE ${outcome} END`,
    })
    .where(eq(commands.id, commandId))
    .run();
  db.update(clientCalls).set({ line: GONE }).where(eq(clientCalls.commandId, commandId)).run();
  const asked = db.select({ id: approvals.id }).from(approvals).where(eq(approvals.commandId, commandId));
  db.delete(grants).where(inArray(grants.approvalId, asked)).run();
  // A rule that was proposed from it may name what it was called with.
  db.delete(policyProposals).where(inArray(policyProposals.approvalId, asked)).run();
  db.update(approvals)
    .set({
      text: GONE,
      binding: "{}",
      verdict: sql`json_set(${approvals.verdict}, '$.matches', json('[]'), '$.runs', json('[]'), '$.rewrite', NULL)`,
      state: sql`CASE WHEN json_type(${approvals.state}, '$.editedText') = 'text' THEN json_set(${approvals.state}, '$.editedText', ${GONE}) ELSE ${approvals.state} END`,
    })
    .where(eq(approvals.commandId, commandId))
    .run();
}

/** Overwritten data may still be in SQLite's write-ahead log; this truncates it. */
export function scrubFreePages({ $client }: Db): void {
  $client.pragma("wal_checkpoint(TRUNCATE)");
}
