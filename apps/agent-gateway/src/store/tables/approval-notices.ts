import { eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { approvals } from "../schema.ts";

/** The webhook messages about a question: that it waits, and later that it is unanswered. */
export type Notice = "told" | "passedOn";

/** Which of them all webhooks have heard, also from an earlier gateway. */
export async function findNotices(
  db: Db,
  approvalId: string,
): Promise<{ toldAt: number | null; passedOnAt: number | null }> {
  const { toldAt, passedOnAt } = approvals;
  const row = db.select({ toldAt, passedOnAt }).from(approvals).where(eq(approvals.id, approvalId)).get();
  return row ?? { toldAt: null, passedOnAt: null };
}

export async function markNoticed(db: Db, approvalId: string, notice: Notice, at: number): Promise<void> {
  const column = notice === "told" ? { toldAt: at } : { passedOnAt: at };
  db.update(approvals).set(column).where(eq(approvals.id, approvalId)).run();
}
