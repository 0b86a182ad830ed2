import {
  deleteRecording,
  emptyTrash,
  findOldRecordings,
  findRecordingsBeyond,
  listTrash,
  measureTrash,
} from "@belay/core";
import type { Actor, TerminalId } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { queriesOf } from "../store/queries.ts";
import { removeMachineTerminals } from "../store/tables/machines/machine-terminals.ts";
import {
  findLastOfOldRows,
  readSealedSeq,
  removeOldCommands,
  removeRowsUpTo,
  saveSealedSeq,
} from "../store/tables/record/retention.ts";
import type { AuditLog } from "./audit-log.ts";
import type { RetiredGateways } from "./retired-gateways.ts";
import { yieldToEventLoop } from "./rows.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Null keeps them forever. */
export interface RetentionDays {
  auditDays: number | null;
  recordingDays: number | null;
  trashDays: number | null;
}

/** Null: no limit. */
export interface RetentionBytes {
  recordingBytes: number | null;
  trashBytes: number | null;
}

export interface PruneReport {
  rows: number;
  recordings: number;
  /** How many files and folders were deleted from the trash. */
  trashed: number;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  recordingsDir: string;
  trashDir: string;
  /** Terminals that still write their recordings. */
  openTerminals: () => Promise<TerminalId[]>;
  /** The limits of the active policy, read at each run. */
  days: () => RetentionDays;
  /** The size limits, read at each run. */
  bytes: () => RetentionBytes;
  /** Gateways that were retired, whose rows another one has to remove; null where there can be none. */
  retired: Pick<RetiredGateways, "inPlaceOfEach"> | null;
  /** Deletes old and excess files with whole outputs. */
  pruneOverflow: () => Promise<void>;
  now: () => number;
  onFailed: (error: unknown) => void;
}

/**
 * Deletes what is older than the policy keeps, once a day, and keeps the proof. Size limits are enforced every hour.
 *
 * 1. The whole record is verified: an altered record is never sealed.
 * 2. The deletion itself is recorded.
 * 3. A signed seal outside the database replaces the rows, with the hash at which the chain continues.
 * 4. Only then are they deleted, in batches; the next run finishes what a crash interrupted.
 */
export class Retention {
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #sizeTimer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Runs now, and then once a day. */
  start(): void {
    const run = () => void this.prune(this.#deps.days(), { type: "system" }).catch(this.#deps.onFailed);
    const runBySize = () => void this.pruneBySize({ type: "system" }).catch(this.#deps.onFailed);
    this.#timer = setInterval(run, DAY_MS).unref();
    this.#sizeTimer = setInterval(runBySize, HOUR_MS).unref();
    run();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#sizeTimer);
    await this.#running?.catch(() => {}); // already reported to its caller
  }

  prune(days: RetentionDays, by: Actor): Promise<PruneReport> {
    return this.#inTurn(async () => {
      const recordings = await this.#pruneRecordings(days.recordingDays, by);
      const trashed = await this.#pruneTrash(days.trashDays, by);
      const more = await this.#pruneBySize(by);
      const rows = await this.#pruneRecord(days.auditDays, by);
      return { rows, recordings: recordings + more.recordings, trashed: trashed + more.trashed };
    });
  }

  /** Oldest first, until the rest fits. */
  pruneBySize(by: Actor): Promise<Omit<PruneReport, "rows">> {
    return this.#inTurn(() => this.#pruneBySize(by));
  }

  /** One at a time: a second call waits for its turn. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#running;
    const run = async () => {
      await before?.catch(() => {}); // reported to that caller
      return work();
    };
    const running = run();
    this.#running = running;
    return running;
  }

  async #pruneBySize(by: Actor): Promise<Omit<PruneReport, "rows">> {
    const { audit, recordingsDir, trashDir, openTerminals, bytes, pruneOverflow, now } = this.#deps;
    const { recordingBytes, trashBytes } = bytes();
    await pruneOverflow();
    let recordings: TerminalId[] = [];
    if (recordingBytes !== null) {
      const kept = new Set(await openTerminals());
      recordings = await findRecordingsBeyond(recordingsDir, { maxBytes: recordingBytes, kept });
      for (const id of recordings) await this.#removeRecording(id, by, { maxBytes: recordingBytes });
    }
    if (trashBytes === null || (await measureTrash(trashDir)) <= trashBytes) {
      return { recordings: recordings.length, trashed: 0 };
    }
    await audit.append({ type: "trash.emptied", actor: by, detail: { maxBytes: trashBytes } });
    const { removedItems } = await emptyTrash(trashDir, { maxBytes: trashBytes, now: now() });
    return { recordings: recordings.length, trashed: removedItems };
  }

  async #removeRecording(id: TerminalId, by: Actor, detail: Record<string, number>): Promise<void> {
    const { audit, recordingsDir } = this.#deps;
    await audit.append({ type: "recording.removed", actor: by, terminalId: id, detail });
    await deleteRecording(recordingsDir, id);
  }

  async #pruneRecord(days: number | null, by: Actor): Promise<number> {
    const { db, retired, now } = this.#deps;
    const { gateway } = queriesOf(db);
    let rows = await this.#pruneChain(gateway, days, by);
    await retired?.inPlaceOfEach(async (gone) => {
      rows += await this.#pruneChain(gone, days, by);
    });
    if (days === null || rows === 0) return rows;
    const olderThan = now() - days * DAY_MS;
    await removeOldCommands(db, olderThan);
    await removeMachineTerminals(db, olderThan);
    return rows;
  }

  /** The chain of this gateway, or of one that was retired, in its place. */
  async #pruneChain(gateway: number, days: number | null, by: Actor): Promise<number> {
    const { db, audit, now } = this.#deps;
    const isOwn = gateway === queriesOf(db).gateway;
    const sealed = await readSealedSeq(db, gateway);
    await this.#removeSealed(gateway, sealed);
    if (days === null) return 0;
    const olderThan = now() - days * DAY_MS;
    const last = await findLastOfOldRows(db, gateway, olderThan);
    if (!last || last.seq <= sealed) return 0;

    const check = await audit.verify();
    if (!check.ok) {
      const message = `The record was altered, so nothing was deleted. ${check.problem}`;
      throw new GatewayError("record-not-whole", message);
    }
    const detail = { fromSeq: sealed + 1, toSeq: last.seq, lastHash: last.hash, olderThan, days };
    await audit.append({ type: "audit.pruned", actor: by, detail: { ...detail, ...(!isOwn && { gateway }) } });
    if (isOwn) await audit.seal(last);
    else await audit.sealFor({ gateway, ...last });
    await saveSealedSeq(db, gateway, last.seq);
    await this.#removeSealed(gateway, last.seq);
    return last.seq - sealed;
  }

  async #removeSealed(gateway: number, seq: number): Promise<void> {
    const { db, audit } = this.#deps;
    await audit.erase(async () => {
      while ((await removeRowsUpTo(db, gateway, seq)) > 0) await yieldToEventLoop();
    });
  }

  async #pruneRecordings(days: number | null, by: Actor): Promise<number> {
    const { recordingsDir, openTerminals, now } = this.#deps;
    if (days === null) return 0;
    const open = new Set(await openTerminals());
    const old = (await findOldRecordings(recordingsDir, now() - days * DAY_MS)).filter((id) => !open.has(id));
    for (const id of old) await this.#removeRecording(id, by, { days });
    return old.length;
  }

  async #pruneTrash(days: number | null, by: Actor): Promise<number> {
    const { audit, trashDir, now } = this.#deps;
    if (days === null) return 0;
    const olderThanMs = days * DAY_MS;
    const entries = await listTrash(trashDir);
    if (!entries.some(({ deletedAt }) => now() - deletedAt > olderThanMs)) return 0;
    const detail = { olderThanDays: days, before: { entries: entries.length } };
    await audit.append({ type: "trash.emptied", actor: by, detail });
    return (await emptyTrash(trashDir, { olderThanMs, now: now() })).removedItems;
  }
}
