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

/** Opens what runs beside the record: deleting expired data, and closing what a lost gateway left open on a shared database. */
export function openUpkeep(deps: Deps): { retention: Retention; closeUpkeep(): Promise<void> } {
  const { db, policy, approvals, terminals, outputTexts, log } = deps;
  const retention = new Retention({
    ...deps,
    openTerminals: async () =>
      (await terminals.list()).filter(({ state }) => state.status !== "closed").map(({ id }) => id),
    days: () => policy.settings.retention,
    bytes: () => policy.settings.retention,
    pruneOverflow: () => outputTexts.prune(),
    onFailed: (error) => log.error({ err: error }, "expired data could not be deleted"),
  });
  const watch =
    db.dialect === "postgres"
      ? new GatewayWatch({
          ...deps,
          db,
          withdraw: (id, reason) => approvals.withdrawOf(id, reason),
          onClosed: (gone) => log.warn(gone, "closed the commands of a gateway that is gone"),
          onFailed: (error) => log.error({ err: error }, "the other gateways on the database could not be checked"),
        })
      : null;
  return {
    retention,
    closeUpkeep: async () => {
      await watch?.close();
      await retention.close();
    },
  };
}
