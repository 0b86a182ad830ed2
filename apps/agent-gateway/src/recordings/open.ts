import type { TerminalPool } from "@belay/core";
import type { AuditLog } from "../audit/audit-log.ts";
import { Redactions } from "../audit/redact/redactions.ts";
import { type Charts, readCharts } from "../audit/views/charts.ts";
import type { Db } from "../store/database.ts";
import { Replays } from "./replays.ts";

/** Opens replays, charts of the record, and redaction of both. */
export interface HindsightRoom {
  replays: Replays;
  redactions: Redactions;
  charts(range: { from: number; to: number }): Promise<Charts>;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  terminals: TerminalPool;
  recordingsDir: string;
  now: () => number;
}

export function openHindsight(deps: Deps): HindsightRoom {
  return {
    replays: new Replays(deps),
    redactions: new Redactions(deps),
    charts: (range) => readCharts(deps.db, range),
  };
}
