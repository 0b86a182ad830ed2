import type { Statement } from "better-sqlite3";
import type { Db } from "../store/database.ts";
import { type auditEvents, meta } from "../store/schema.ts";

const CHECKED_AT = "record-checked-at";

/** Writes a row, which is taken back, and something else, which really reaches the disk. Throws where either cannot be. */
export function tryWriting(
  db: Db,
  insert: Statement<[typeof auditEvents.$inferInsert]>,
  { seq, at }: { seq: number; at: number },
): void {
  const row = { seq, at, type: "gateway.started", actor: "{}", commandId: null, terminalId: null };
  const checked = { key: CHECKED_AT, value: String(at) };
  db.transaction((transaction) => {
    db.$client.exec("SAVEPOINT probe");
    insert.run({ ...row, detail: "{}", hash: "" });
    db.$client.exec("ROLLBACK TO probe");
    transaction.insert(meta).values(checked).onConflictDoUpdate({ target: meta.key, set: checked }).run();
  });
}
