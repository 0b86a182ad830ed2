import { redactSecrets } from "@belay/core";
import type { AuditEvent, AuditEventType, CommandId, CommandReport } from "@belay/protocol";
import { terminalOf } from "../commands/act.ts";
import { type CommandOutcome, isOver } from "../commands/outcome.ts";
import type { CommandRequest } from "../commands/submit-command.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import type { Writes } from "../store/queries.ts";
import { insertClientCall } from "../store/tables/client-calls.ts";
import {
  type CommandRow,
  closeCommand,
  findCommand,
  insertCommand,
  listOpenCommands,
  markCommandStarted,
} from "../store/tables/commands.ts";
import type { AuditLog } from "./audit-log.ts";
import { closedDetail, openedDetail } from "./commands/command-details.ts";
import { canResume, type KnownAfterRestart, outcomeOfInterrupted } from "./commands/interrupted-commands.ts";
import { UnrecordedResults } from "./commands/unrecorded-results.ts";
import { WaitingRows } from "./commands/waiting-rows.ts";

type StepType = Extract<AuditEventType, "command.judged" | "command.answered" | "command.started">;
export type RecordStep = (type: StepType, detail: AuditEvent["detail"]) => Promise<void>;

/** The end of a command on its way to the disk. */
interface Closing {
  /** Resolves once it is committed; never if that fails. */
  committed: Promise<void>;
  /** Resolves once it is on disk. */
  recorded: Promise<void>;
}

/** The record of each command: opened before anything else, closed exactly once with how it really ended. */
export class CommandRecords {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #now: () => number;
  readonly #unrecorded = new UnrecordedResults();
  readonly #closings = new Map<CommandId, Closing>();
  /** Commands that this gateway started and has not closed, as their rows are. */
  readonly #started = new Map<CommandId, CommandRow>();

  constructor({ db, audit, now }: { db: Db; audit: AuditLog; now: () => number }) {
    this.#db = db;
    this.#audit = audit;
    this.#now = now;
  }

  /** Opens a record, lets the command run, and closes it, unless the command is still running. */
  async record(
    request: CommandRequest,
    happen: (step: RecordStep) => Promise<CommandOutcome>,
  ): Promise<CommandOutcome> {
    const { commandId, agent, act } = request;
    const terminalId = terminalOf(act);
    const about = { actor: { type: "agent", id: agent.id }, commandId, ...(terminalId ? { terminalId } : {}) } as const;
    // A command that an earlier gateway opened continues in its existing record.
    const isKnown = request.isResumed === true;
    const rows = new WaitingRows(this.#audit);
    const row = isKnown ? null : this.#open(request, about, rows);
    try {
      const outcome = await happen(async (type, detail) => {
        const isStart = type === "command.started";
        rows.add(
          { ...about, type, detail },
          isStart ? this.#marking(commandId, rows.hasWritten ? null : row) : undefined,
        );
        // A yes has no effect before the start, which follows at once: both are committed together.
        if (!isYes(type, detail)) await rows.write();
        if (isStart && row) this.#started.set(commandId, row);
      });
      await rows.write();
      // Typed input is complete once it is typed, even if the program that read it keeps running.
      const hasEnded = isOver(outcome) || act.type === "type";
      if (!hasEnded || (await this.#closeSoon(commandId, outcome))) return outcome;
      return { ...outcome, isEndUnrecorded: true };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // If the record itself failed, the caller gets that error anyway.
      await rows.write().catch(() => {});
      await this.#close(commandId, { status: "failed", message });
      throw error;
    }
  }

  /** Marks a command as started: in the row that is about to be inserted, if others cannot see it yet. */
  #marking(commandId: CommandId, newRow: CommandRow | null): Writes {
    const startedAt = this.#now();
    if (!newRow) return (db) => [markCommandStarted(db, commandId, startedAt)];
    newRow.startedAt = startedAt;
    return () => [];
  }

  #open(request: CommandRequest, about: Pick<AuditEvent, "actor">, rows: WaitingRows): CommandRow {
    const { commandId, agent, act, origin } = request;
    const { line, ...opening } = openedDetail(act);
    const row: CommandRow = {
      id: commandId,
      agentId: agent.id,
      terminalId: terminalOf(act),
      line,
      // Input for a password prompt is never stored, not even to retry it after a restart.
      request: act.type === "type" && act.reader.hidesInput ? null : JSON.stringify({ origin, act }),
      openedAt: this.#now(),
      startedAt: null,
      closedAt: null,
      outcome: null,
    };
    const detail = { line, origin, ...opening };
    rows.add({ ...about, type: "command.opened", detail }, (db) => {
      const opened = insertCommand(db, row);
      if (act.type !== "client") return [opened];
      return [opened, insertClientCall(db, { ...act, commandId, agentId: agent.id, openedAt: row.openedAt })];
    });
    return row;
  }

  /** Closes the record of a command that finished after its agent got a reply. `onRecord` is called when it is done. */
  async finish(report: CommandReport, onRecord: () => void): Promise<void> {
    await this.#close(report.commandId, { status: "ran", report }, { onRecord });
  }

  /** The result of a command that could not be closed yet. */
  endOf(commandId: CommandId): CommandOutcome | null {
    const outcome = this.#unrecorded.endOf(commandId);
    return outcome && { ...outcome, isEndUnrecorded: true };
  }

  /** Why there are commands that could not be closed; null if there are none. */
  get problem(): string | null {
    return this.#unrecorded.problem;
  }

  /** Retries all of them once. */
  close(): Promise<void> {
    return this.#unrecorded.close();
  }

  /** Closes the commands of another gateway that has been gone for long. Returns them. */
  async closeAbandoned(gateway: number): Promise<CommandId[]> {
    const open = await listOpenCommands(this.#db, { gateway });
    for (const row of open) {
      const outcome: CommandOutcome =
        row.startedAt === null
          ? { status: "failed", message: "The gateway that had it is gone. Nothing ran." }
          : {
              status: "failed",
              hasBegun: true,
              message: "It had started, and the gateway that had it is gone: how it ended is not known.",
            };
      await this.#closeRow(row, outcome, this.#now());
    }
    return open.map(({ id }) => id);
  }

  /** Closes the commands of an earlier gateway that no terminal knows. */
  async closeInterrupted(known: KnownAfterRestart): Promise<number> {
    const open = (await listOpenCommands(this.#db)).filter(
      (row) =>
        known.isSettledNow(row) && !known.running.has(row.id) && !(known.waiting.has(row.id) && canResume(row.request)),
    );
    for (const row of open) await this.#closeRow(row, await outcomeOfInterrupted(row, known), this.#now());
    return open.length;
  }

  /**
   * The same, for a caller that waits for the result: it gets it once the end is committed, a moment before it is on disk.
   * Nothing depends on it: if the disk then fails, nothing runs any more, and the terminal keeps the result for the next start.
   */
  #closeSoon(commandId: CommandId, outcome: CommandOutcome): Promise<boolean> {
    return new Promise((resolve) => {
      void this.#close(commandId, outcome, { onCommitted: () => resolve(true) }).then(resolve);
    });
  }

  /** A failed write is retried. Returns false in that case. */
  #close(
    commandId: CommandId,
    outcome: CommandOutcome,
    { onRecord, onCommitted = () => {} }: { onRecord?: () => void; onCommitted?: () => void } = {},
  ): Promise<boolean> {
    const closedAt = this.#now();
    const write = async () => {
      const row = this.#started.get(commandId) ?? (await findCommand(this.#db, commandId));
      if (!row || row.closedAt !== null) return;
      // Its caller and its terminal both report its end, usually at the same time.
      const closing = this.#closings.get(commandId) ?? this.#beginClosing(row, outcome, closedAt);
      void closing.committed.then(onCommitted);
      await closing.recorded;
    };
    return this.#unrecorded.write(commandId, outcome, write, onRecord);
  }

  #beginClosing(row: CommandRow, outcome: CommandOutcome, closedAt: number): Closing {
    let onCommitted = () => {};
    const committed = new Promise<void>((resolve) => {
      onCommitted = resolve;
    });
    const recorded = this.#closeRow(row, outcome, closedAt, onCommitted)
      .then(() => void this.#started.delete(row.id))
      .finally(() => this.#closings.delete(row.id));
    const closing = { committed, recorded };
    this.#closings.set(row.id, closing);
    return closing;
  }

  /** Closes the command and records it in one transaction. Idempotent. */
  async #closeRow(row: CommandRow, outcome: CommandOutcome, closedAt: number, onCommitted?: () => void): Promise<void> {
    const closing = { closedAt, outcome: JSON.stringify(outcome), line: redactSecrets(row.line) };
    const event = {
      type: "command.closed",
      actor: { type: "agent", id: row.agentId },
      commandId: row.id,
      ...(row.terminalId ? { terminalId: row.terminalId } : {}),
      detail: { ...closedDetail(outcome), ...(outcome.isUndelivered ? { isUndelivered: true } : {}) },
    } as const;
    try {
      await this.#audit.appendAll([event], (db) => [closeCommand(db, row.id, closing)], onCommitted);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "already-settled") throw error;
    }
  }
}

/** The policy allowed it, or a person did, whose answer is on record already. */
function isYes(type: string, detail?: { decision?: unknown }): boolean {
  if (type === "command.judged") return detail?.decision === "allow";
  return type === "command.answered" && detail?.decision === "approve";
}
