import type { TerminalPool } from "@belay/core";
import type { Logger } from "pino";
import type { Approvals } from "../approvals/approvals.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { PostgresDb } from "../store/postgres/open-database.ts";
import type { SqliteDb } from "../store/sqlite/open-database.ts";
import type { OutputTexts } from "../terminals/output/output-text.ts";
import type { AuditLog } from "./audit-log.ts";
import type { CommandRecords } from "./command-records.ts";
import { Retention } from "./retention.ts";
import { RetiredGateways } from "./retired-gateways.ts";
import { GatewayWatch } from "./watch-gateways.ts";

interface Deps {
  db: SqliteDb | PostgresDb;
  audit: AuditLog;
  records: CommandRecords;
  policy: PolicyStore;
  approvals: Approvals;
  terminals: TerminalPool;
  outputTexts: OutputTexts;
  recordingsDir: string;
  trashDir: string;
  log: Logger;
  now: () => number;
}

export interface Upkeep {
  retention: Retention;
  /** Null on SQLite, which has one gateway. */
  retired: RetiredGateways | null;
  closeUpkeep(): Promise<void>;
}

/** Opens what runs beside the record: deleting expired data, and closing what a lost gateway left open on a shared database. */
export function openUpkeep(deps: Deps): Upkeep {
  const { db, policy, terminals, outputTexts, log } = deps;
  const watch = db.dialect === "postgres" ? openWatch(deps, db) : null;
  const retired = watch && db.dialect === "postgres" ? new RetiredGateways({ ...deps, db, watch }) : null;
  const retention = new Retention({
    ...deps,
    retired,
    openTerminals: async () =>
      (await terminals.list()).filter(({ state }) => state.status !== "closed").map(({ id }) => id),
    days: () => policy.settings.retention,
    bytes: () => policy.settings.retention,
    pruneOverflow: () => outputTexts.prune(),
    onFailed: (error) => log.error({ err: error }, "expired data could not be deleted"),
  });
  return {
    retention,
    retired,
    closeUpkeep: async () => {
      await watch?.close();
      await retention.close();
    },
  };
}

function openWatch(deps: Deps, db: PostgresDb): GatewayWatch {
  const { approvals, log } = deps;
  return new GatewayWatch({
    ...deps,
    db,
    withdraw: (id, reason) => approvals.withdrawOf(id, reason),
    onClosed: (gone) => log.warn(gone, "closed the commands of a gateway that is gone"),
    onFailed: (error) => log.error({ err: error }, "the other gateways on the database could not be checked"),
  });
}
