import { join } from "node:path";
import type { PostgresDb } from "../store/postgres/open-database.ts";
import type { SqliteDb } from "../store/sqlite/open-database.ts";
import { AuditLog, type AuditWatch } from "./audit-log.ts";
import { CommandRecords } from "./command-records.ts";
import { SearchThread } from "./search/search-thread.ts";
import { Checkpoints } from "./signing/checkpoints.ts";
import { PostgresStorage } from "./storage/postgres-storage.ts";
import { SqliteStorage } from "./storage/sqlite-storage.ts";
import type { RecordStorage } from "./storage/storage.ts";

export interface RecordRoom {
  audit: AuditLog;
  records: CommandRecords;
  /** Ends the thread that searches. */
  closeSearch(): Promise<void>;
}

interface Deps {
  db: SqliteDb | PostgresDb;
  dataDir: string;
  now: () => number;
  watch: AuditWatch;
}

/** Opens the record: the hash chain with its signed checkpoints, and the records of single commands on it. */
export async function openRecord({ db, dataDir, now, watch }: Deps): Promise<RecordRoom> {
  const checkpoints = new Checkpoints({
    file: join(dataDir, "audit-checkpoints.jsonl"),
    keyFile: join(dataDir, "keys", "audit-ed25519.pem"),
  });
  const { storage, closeSearch } = await openStorage(db, { now, signed: checkpoints.latest() });
  await storage.others?.publish(checkpoints.publicKey, checkpoints.lastSeal());
  const audit = new AuditLog({ db, storage, now, checkpoints, watch });
  return { audit, records: new CommandRecords({ db, audit, now }), closeSearch };
}

async function openStorage(
  db: Deps["db"],
  options: Parameters<typeof PostgresStorage.open>[1],
): Promise<{ storage: RecordStorage; closeSearch: () => Promise<void> }> {
  if (db.dialect === "postgres") {
    return { storage: await PostgresStorage.open(db, options), closeSearch: async () => {} };
  }
  const thread = new SearchThread(db.$client.name);
  const search = db.$client.memory ? {} : { search: thread.search.bind(thread) };
  return { storage: new SqliteStorage(db, { ...options, ...search }), closeSearch: () => thread.close() };
}
