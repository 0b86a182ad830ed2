import { eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { change, queriesOf, rowOf } from "../queries.ts";

/** The webhook messages about a question: that it waits, and later that it is unanswered. */
export type Notice = "told" | "passedOn";

/** Which of them all webhooks have heard, also from an earlier gateway. */
export async function findNotices(
  db: Db,
  approvalId: string,
): Promise<{ toldAt: number | null; passedOnAt: number | null }> {
  const { orm, approvals } = queriesOf(db);
  const { toldAt, passedOnAt } = approvals;
  const row = await rowOf(orm.select({ toldAt, passedOnAt }).from(approvals).where(eq(approvals.id, approvalId)));
  return row ?? { toldAt: null, passedOnAt: null };
}

export async function markNoticed(db: Db, approvalId: string, notice: Notice, at: number): Promise<void> {
  const { orm, approvals } = queriesOf(db);
  const column = notice === "told" ? { toldAt: at } : { passedOnAt: at };
  await change(orm.update(approvals).set(column).where(eq(approvals.id, approvalId)));
}
