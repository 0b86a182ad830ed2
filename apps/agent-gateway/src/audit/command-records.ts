import { redactSecrets } from "@belay/core";
import type { AuditEvent, AuditEventType, CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { type Act, terminalOf, textOf } from "../commands/act.ts";
import { type CommandOutcome, isOver } from "../commands/outcome.ts";
import type { CommandRequest } from "../commands/submit-command.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import {
  type CommandRow,
  closeCommand,
  findCommand,
  insertCommand,
  listOpenCommands,
  markCommandStarted,
} from "../store/tables/commands.ts";
import type { AuditLog } from "./audit-log.ts";

type StepType = Extract<AuditEventType, "command.judged" | "command.answered" | "command.started">;
export type RecordStep = (type: StepType, detail: AuditEvent["detail"]) => Promise<void>;

/** What is known of commands that an earlier gateway began. */
export interface KnownAfterRestart {
  running: Set<CommandId>;
  /** The terminals that are still open. */
  terminals: TerminalInfo[];
  /** Finds a command that was typed into a terminal that no longer exists. */
  findLost: (commandId: CommandId, terminalId: TerminalId) => Promise<CommandReport | null>;
}

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
    const { commandId, agent, act } = request;
    const terminalId = terminalOf(act);
    const about = { actor: { type: "agent", id: agent.id }, commandId, ...(terminalId ? { terminalId } : {}) } as const;
    // A command that an earlier gateway opened continues in its existing record.
    if (!(await findCommand(this.#db, commandId))) await this.#open(request, about);
    try {
      const outcome = await happen(async (type, detail) => {
        const isStart = type === "command.started";
        const mark = (db: Db) => markCommandStarted(db, commandId, this.#now());
        await this.#audit.append({ ...about, type, detail }, isStart ? mark : undefined);
      });
      // Typed input is complete once it is typed, however long the program that read it keeps running.
      if (isOver(outcome) || act.type === "type") await this.#close(commandId, outcome);
      return outcome;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.#close(commandId, { status: "failed", message });
      throw error;
    }
  }

  async #open(request: CommandRequest, about: Pick<AuditEvent, "actor">): Promise<void> {
    const { commandId, agent, act, origin } = request;
    const { line, ...opening } = openingOf(act);
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
    await this.#audit.append({ ...about, type: "command.opened", detail }, (db) => insertCommand(db, row));
  }

  /** Closes the record of a command that went on after its agent had been answered. */
  async finish(report: CommandReport): Promise<void> {
    const row = await findCommand(this.#db, report.commandId);
    if (row) await this.#closeRow(row, { status: "ran", report });
  }

  /** Closes the commands of an earlier gateway that no terminal knows of any more, or ever did. */
  async closeInterrupted(known: KnownAfterRestart): Promise<number> {
    const open = (await listOpenCommands(this.#db)).filter((row) => hasBegun(row) && !known.running.has(row.id));
    for (const row of open) await this.#closeRow(row, await outcomeOfInterrupted(row, known));
    return open.length;
  }

  async #close(commandId: CommandRow["id"], outcome: CommandOutcome): Promise<void> {
    const row = await findCommand(this.#db, commandId);
    if (row) await this.#closeRow(row, outcome);
  }

  /** Closes the command and records it in one transaction. Closing it again changes nothing. */
  async #closeRow(row: CommandRow, outcome: CommandOutcome): Promise<void> {
    const closing = { closedAt: this.#now(), outcome: JSON.stringify(outcome), line: redactSecrets(row.line) };
    const event = {
      type: "command.closed",
      actor: { type: "agent", id: row.agentId },
      commandId: row.id,
      ...(row.terminalId ? { terminalId: row.terminalId } : {}),
      detail: detailOf(outcome),
    } as const;
    try {
      await this.#audit.append(event, (db) => {
        if (!closeCommand(db, row.id, closing)) throw new GatewayError("already-settled", "It was closed already.");
      });
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "already-settled") throw error;
    }
  }
}

/** A command that has not begun can still be resumed; see `Commands.resume`. */
function hasBegun({ startedAt, request }: CommandRow): boolean {
  return startedAt !== null || request === null;
}

/** A terminal keeps each result until it is recorded, so a command that an open terminal does not know was never typed. */
async function outcomeOfInterrupted(row: CommandRow, known: KnownAfterRestart): Promise<CommandOutcome> {
  const { id: commandId, request, terminalId } = row;
  const terminal = known.terminals.find(({ id }) => id === terminalId);
  const act = request === null ? null : (JSON.parse(request) as { act: Act }).act;
  if (terminal && act?.type === "spawn") return { status: "spawned", terminal };
  if (terminal && act?.type === "run") {
    return { status: "failed", message: "The gateway ended before the command was typed. Nothing ran." };
  }
  const report = terminalId === null ? null : await known.findLost(commandId, terminalId);
  if (report) return { status: "ran", report };
  return { status: "failed", message: "The gateway ended before the command did." };
}

/** Everything that the agent supplied and that changes what runs. */
function openingOf(act: Act): { line: string } & AuditEvent["detail"] {
  switch (act.type) {
    case "run":
      return { line: act.line, cwd: act.cwd ?? null, env: act.env ?? {} };
    case "type":
      // Input for a password prompt never reaches the record.
      return {
        line: act.reader.hidesInput ? "(hidden)" : act.text,
        readers: act.reader.processes.map(({ argv }) => argv),
      };
    case "spawn": {
      const { cwd, env, name } = act.request;
      return { line: textOf(act), cwd, env, name, surface: act.surface };
    }
    case "once":
      return { line: textOf(act), cwd: act.cwd, env: act.env, stdin: act.stdin };
  }
}

function detailOf(outcome: CommandOutcome): AuditEvent["detail"] {
  switch (outcome.status) {
    case "ran": {
      const { state, evidence, exitCode, durationMs, startPosition, endPosition, cwd } = outcome.report;
      return { status: "ran", state, evidence, exitCode, durationMs, startPosition, endPosition, cwd };
    }
    case "failed":
      return { status: "failed", message: outcome.message };
    case "spawned":
      return { status: "spawned", terminalId: outcome.terminal.id };
    case "done": {
      const { exitCode, error, durationMs, isTimedOut } = outcome.result;
      return { status: "done", exitCode, error, durationMs, isTimedOut };
    }
    default:
      return { status: outcome.status };
  }
}
