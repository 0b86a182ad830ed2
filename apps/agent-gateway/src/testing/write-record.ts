import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AuditLog, type NewAuditEvent } from "../audit/audit-log.ts";
import { Checkpoints } from "../audit/signing/checkpoints.ts";
import { SqliteStorage } from "../audit/storage/sqlite-storage.ts";
import { MIGRATIONS_DIR } from "../paths.ts";
import { openDatabase } from "../store/sqlite/open-database.ts";

/** A record on disk that a test may write to, tamper with and open again. */
export function openTestRecord() {
  const folder = mkdtempSync(join(tmpdir(), "belay-audit-"));
  const db = openDatabase(join(folder, "belay.db"), MIGRATIONS_DIR);
  // These tests are not about power failures, and syncing on a busy disk would make them slow.
  db.$client.pragma("synchronous = OFF");
  const clock = { now: 1_000 };
  onTestFinished(() => {
    db.$client.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, "checkpoints.jsonl");
  const keyFile = join(folder, "key.pem");
  const open = () => {
    const now = () => clock.now;
    const checkpoints = new Checkpoints({ file, keyFile });
    const storage = new SqliteStorage(db, { now, signed: checkpoints.latest() });
    return new AuditLog({ db, storage, now, checkpoints });
  };
  return { db, file, folder, clock, open };
}

/** A record with this many rows, closed as a gateway would close it. */
export async function writeTestRecord(rows: number) {
  const record = openTestRecord();
  const writer = record.open();
  for (let row = 0; row < rows; row += 1) await writer.append(rowOf(row));
  await writer.close();
  return record;
}

/** Opens the database like an attacker with full access, without its triggers. */
export function dropTriggers({ $client }: ReturnType<typeof openDatabase>): void {
  for (const name of $client.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all())
    $client.exec(`DROP TRIGGER ${name}`);
}

function rowOf(row: number): NewAuditEvent {
  return { type: "command.opened", actor: { type: "system" }, detail: { line: `echo ${row}` } };
}
