import { join } from "node:path";
import type { SqliteDb } from "../store/sqlite/open-database.ts";
import { AuditLog, type AuditWatch } from "./audit-log.ts";
import { CommandRecords } from "./command-records.ts";
import { SearchThread } from "./search/search-thread.ts";
import { Checkpoints } from "./signing/checkpoints.ts";
import { SqliteStorage } from "./storage/sqlite-storage.ts";

export interface RecordRoom {
  audit: AuditLog;
  records: CommandRecords;
  /** Ends the thread that searches. */
  closeSearch(): Promise<void>;
}

/** Opens the record: the hash chain with its signed checkpoints, and the records of single commands on it. */
export function openRecord(deps: { db: SqliteDb; dataDir: string; now: () => number; watch: AuditWatch }): RecordRoom {
  const { db, dataDir, now, watch } = deps;
  const checkpoints = new Checkpoints({
    file: join(dataDir, "audit-checkpoints.jsonl"),
    keyFile: join(dataDir, "keys", "audit-ed25519.pem"),
  });
  const thread = new SearchThread(db.$client.name);
  const search = db.$client.memory ? {} : { search: thread.search.bind(thread) };
  const storage = new SqliteStorage(db, { now, signed: checkpoints.latest(), ...search });
  const audit = new AuditLog({ db, storage, now, checkpoints, watch });
  return { audit, records: new CommandRecords({ db, audit, now }), closeSearch: () => thread.close() };
}
