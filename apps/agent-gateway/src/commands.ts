import type { WaitStrategy } from "@belay/core";
import type { Approval, CommandId } from "@belay/protocol";
import type { AuditLog } from "./audit/audit-log.ts";
import { type CommandRecords, isFinal } from "./audit/command-records.ts";
import { GatewayError } from "./errors.ts";
import type { AgentRow } from "./store/agents.ts";
import { type CommandRow, findCommand } from "./store/commands.ts";
import type { Db } from "./store/database.ts";
import { type CommandOutcome, type CommandRequest, type SubmitDeps, submitCommand } from "./submit-command.ts";

/** How a command stands, as far as its agent may know. */
export type CommandView = { status: "waiting"; approval: Approval } | CommandOutcome;

/** No call is held longer: clients give up after a minute. */
const LONGEST_HOLD_MS = 45_000;

interface Flight {
  commandId: CommandId;
  agentId: string;
  terminalId: CommandRequest["terminalId"];
  outcome: Promise<CommandOutcome>;
  /** What a person has to answer first; null where nobody was asked. */
  approval: Approval | null;
}

/**
 * The commands that are under way.
 *
 * An agent's call is held for a while only; the command goes on without it,
 * and the agent asks again with the command's id.
 */
export class Commands {
  readonly #deps: SubmitDeps;
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #flights = new Map<CommandId, Flight>();

  constructor(deps: SubmitDeps & { db: Db; audit: AuditLog }) {
    this.#deps = deps;
    this.#audit = deps.audit;
    this.#db = deps.db;
  }

  /** Submits a command and waits for it, but not for ever. `onLanded` hears when it has run or never will. */
  async submit(request: CommandRequest, signal: AbortSignal, onLanded: () => void): Promise<CommandView> {
    const flight = this.#launch(request);
    flight.outcome.then(onLanded, onLanded);
    return this.#hold(flight, signal);
  }

  /** Looks again at a command that an earlier call did not wait for. */
  async poll(agent: AgentRow, commandId: CommandId, wait: WaitStrategy, signal: AbortSignal): Promise<CommandView> {
    const flight = this.#flights.get(commandId);
    if (flight?.agentId === agent.id) {
      const view = await this.#hold(flight, signal);
      return view.status === "ran" && !isFinal(view.report) ? this.#waitOn(view, wait, signal) : view;
    }
    const row = await this.#find(agent, commandId);
    if (row.outcome === null)
      throw new GatewayError("command-not-found", `Nobody knows how "${commandId}" stands; run it again.`);
    return JSON.parse(row.outcome) as CommandOutcome;
  }

  /** Ends a command and the shell that it runs in; one that waits for a person is only withdrawn. */
  async kill(agent: AgentRow, commandId: CommandId): Promise<void> {
    const row = await this.#find(agent, commandId);
    if (row.closedAt !== null) return;
    const waiting = await this.#waitingFor(this.#flights.get(commandId));
    if (waiting) return this.#deps.approvals.withdraw(waiting.id, "Its agent took it back.");
    const actor = { type: "agent", id: agent.id } as const;
    await this.#audit.append({ type: "terminal.killed", actor, commandId, terminalId: row.terminalId });
    await this.#deps.terminals.kill(row.terminalId, { reason: "killed" });
  }

  /** Ids are names, not keys: another agent's command does not exist for this one. */
  async #find(agent: AgentRow, commandId: CommandId): Promise<CommandRow> {
    const row = await findCommand(this.#db, commandId);
    if (row?.agentId === agent.id) return row;
    throw new GatewayError("command-not-found", `No command "${commandId}". It may be another agent's, or never was.`);
  }

  #launch(request: CommandRequest): Flight {
    const { commandId, terminalId, agent } = request;
    const flight: Flight = {
      commandId,
      terminalId,
      agentId: agent.id,
      approval: null,
      outcome: submitCommand(request, this.#deps, (approval) => {
        flight.approval = approval;
      }),
    };
    this.#flights.set(commandId, flight);
    const land = (ended: CommandOutcome | null) => {
      // One that still runs stays here until the pool says that it is done.
      if (ended?.status !== "ran" || isFinal(ended.report)) this.#flights.delete(commandId);
    };
    flight.outcome.then(land, () => land(null));
    return flight;
  }

  /** The pool says that a command is done. */
  async finished(report: Parameters<CommandRecords["finish"]>[0]): Promise<void> {
    this.#flights.delete(report.commandId);
    await this.#deps.records.finish(report);
  }

  async #hold(flight: Flight, signal: AbortSignal): Promise<CommandView> {
    const limit = deadline(LONGEST_HOLD_MS, signal);
    try {
      const first = await Promise.race([flight.outcome, limit.reached]);
      if (first) return first;
    } finally {
      limit.cancel();
    }
    // Not done within the time: it waits for a person, or it runs.
    const approval = await this.#waitingFor(flight);
    if (approval) return { status: "waiting", approval };
    const now = { type: "idle", idleMs: null, timeoutMs: 0 } as const;
    return { status: "ran", report: await this.#deps.terminals.waitFor(flight.terminalId, flight.commandId, now) };
  }

  /** What a person still has to answer before this one runs. */
  async #waitingFor(flight: Flight | undefined): Promise<Approval | null> {
    if (!flight?.approval) return null;
    const approval = await this.#deps.approvals.get(flight.approval.id);
    return approval.state.status === "pending" ? approval : null;
  }

  async #waitOn(
    view: Extract<CommandView, { status: "ran" }>,
    wait: WaitStrategy,
    signal: AbortSignal,
  ): Promise<CommandView> {
    const { terminalId, commandId } = view.report;
    const report = await this.#deps.terminals.waitFor(terminalId, commandId, wait, signal);
    return { ...view, report };
  }
}

function deadline(ms: number, signal: AbortSignal) {
  let cancel = () => {};
  const reached = new Promise<null>((resolve) => {
    const timer = setTimeout(resolve, ms, null);
    const onAbort = () => resolve(null);
    signal.addEventListener("abort", onAbort);
    cancel = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  });
  return { reached, cancel };
}
