import type { Statement } from "better-sqlite3";
import type { SqliteDb } from "../../store/sqlite/open-database.ts";
import type { ChainedRow } from "../chain.ts";

const CHECKED_AT = "record-checked-at";

/** Writes a row, which is rolled back, and something else, which really reaches the disk. Throws if either cannot be. */
export function tryWriting(
  { $client }: SqliteDb,
  insert: Statement<[ChainedRow["stored"]]>,
  { seq, at }: { seq: number; at: number },
): void {
  const row = { seq, at, type: "gateway.started", actor: "{}", commandId: null, terminalId: null } as const;
  $client.transaction(() => {
    $client.exec("SAVEPOINT probe");
    insert.run({ ...row, detail: "{}", hash: "" });
    $client.exec("ROLLBACK TO probe");
    $client
      .prepare("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
      .run(CHECKED_AT, String(at));
  })();
}
