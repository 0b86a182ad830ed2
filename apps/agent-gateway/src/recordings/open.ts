import type { TerminalPool } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import { Redactions } from "../audit/redact/redactions.ts";
import { type Charts, readCharts } from "../audit/views/charts.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { RecordingPreparer } from "./preparer.ts";
import { Replays } from "./replays.ts";

export interface ReviewRoom {
  replays: Replays;
  redactions: Redactions;
  charts(range: { from: number; to: number }): Promise<Charts>;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  log: Logger;
  terminals: TerminalPool;
  recordingsDir: string;
  /** Copies what another machine has recorded. */
  bringRecording: (id: TerminalId) => Promise<void>;
  forgetHistory: (workspace: string) => Promise<void>;
  now: () => number;
}

/** Opens replays, charts of the record, and redaction of both. */
export function openReview(deps: Deps): ReviewRoom & { closeReview(): Promise<void> } {
  const preparer = new RecordingPreparer(deps);
  const replays = new Replays({ ...deps, preparer });
  return {
    replays,
    redactions: new Redactions({ ...deps, onRecordingChanged: (id) => preparer.changed(id) }),
    charts: (range) => readCharts(deps.db, range),
    closeReview: async () => {
      await Promise.all([replays.close(), preparer.close()]);
    },
  };
}
