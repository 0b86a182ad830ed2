import type { AuditEvent, AuditEventType, CommandReport } from "@belay/protocol";
import { type CommandRow, closeCommand, findCommand, insertCommand, listOpenCommands } from "../store/commands.ts";
import type { Db } from "../store/database.ts";
import type { CommandOutcome, CommandRequest } from "../submit-command.ts";
import type { AuditLog } from "./audit-log.ts";

type StepType = Extract<AuditEventType, "command.judged" | "command.answered" | "command.started">;
export type RecordStep = (type: StepType, detail: AuditEvent["detail"]) => Promise<void>;

/** The record of each command: opened before anything else, closed exactly once with how it really ended. */
export class CommandRecords {
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #now: () => number;

  constructor({ db, audit, now }: { db: Db; audit: AuditLog; now: () => number }) {
    this.#db = db;
    this.#audit = audit;
    this.#now = now;
  }

  /** Opens a record, lets the command happen, and closes it, unless the command still runs. */
  async record(
    request: CommandRequest,
    happen: (step: RecordStep) => Promise<CommandOutcome>,
  ): Promise<CommandOutcome> {
    const { commandId, terminalId, agent, line } = request;
    const about = { actor: { type: "agent", id: agent.id }, commandId, terminalId } as const;
    const opening = { line, cwd: request.cwd ?? null, env: request.env ?? {} };
    await this.#audit.append({ ...about, type: "command.opened", detail: opening });
    await insertCommand(this.#db, {
      id: commandId,
      agentId: agent.id,
      terminalId,
      line,
      openedAt: this.#now(),
      closedAt: null,
      outcome: null,
    });
    try {
      const outcome = await happen(async (type, detail) => void (await this.#audit.append({ ...about, type, detail })));
      if (outcome.status !== "ran" || isFinal(outcome.report)) await this.#close(commandId, outcome);
      return outcome;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.#close(commandId, { status: "failed", message });
      throw error;
    }
  }

  /** Closes the record of a command that went on after its agent had been answered. */
  async finish(report: CommandReport): Promise<void> {
    const row = await findCommand(this.#db, report.commandId);
    if (row) await this.#closeRow(row, { status: "ran", report });
  }

  /** Closes what an earlier gateway left open: nobody knows any more how it ended. */
  async closeInterrupted(): Promise<number> {
    const open = await listOpenCommands(this.#db);
    for (const row of open)
      await this.#closeRow(row, { status: "failed", message: "The gateway ended before the command did." });
    return open.length;
  }

  async #close(commandId: CommandRow["id"], outcome: CommandOutcome): Promise<void> {
    const row = await findCommand(this.#db, commandId);
    if (row) await this.#closeRow(row, outcome);
  }

  async #closeRow(row: CommandRow, outcome: CommandOutcome): Promise<void> {
    const isFirst = await closeCommand(this.#db, row.id, { closedAt: this.#now(), outcome: JSON.stringify(outcome) });
    if (!isFirst) return;
    await this.#audit.append({
      type: "command.closed",
      actor: { type: "agent", id: row.agentId },
      commandId: row.id,
      terminalId: row.terminalId,
      detail: detailOf(outcome),
    });
  }
}

export function isFinal(report: CommandReport): boolean {
  return report.state === "completed" || report.state === "exited";
}

function detailOf(outcome: CommandOutcome): AuditEvent["detail"] {
  switch (outcome.status) {
    case "ran": {
      const { state, evidence, exitCode, durationMs, startPosition, endPosition, cwd } = outcome.report;
      return { status: "ran", state, evidence, exitCode, durationMs, startPosition, endPosition, cwd };
    }
    case "failed":
      return { status: "failed", message: outcome.message };
    default:
      return { status: outcome.status };
  }
}
