import { CoreError, type TerminalPool, type WaitStrategy } from "@belay/core";
import type { AgentId, Approval, CommandId, TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import type { CommandRecords } from "../audit/command-records.ts";
import type { Changes } from "../changes/changes.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { type AgentRow, findAgent } from "../store/tables/agents.ts";
import { type CommandRow, findCommand, listCommandsIn, listOpenCommands } from "../store/tables/commands.ts";
import { assertMayUse } from "../terminals/shells/agent-terminals.ts";
import { type Act, terminalOf } from "./act.ts";
import { type CommandOutcome, isOver } from "./outcome.ts";
import { type CommandRequest, type Origin, type SubmitDeps, submitCommand } from "./submit-command.ts";
import { readTimeline, readTimelineEntry, type TimelineEntry } from "./timeline.ts";
import { readWhileAway, type WhileAway } from "./while-away.ts";

/** How long a call may be held, and what may end it early. */
export interface Hold {
  signal: AbortSignal;
  /** Longer than 45 s only if the client is shown progress. */
  maxMs?: number;
}

/** No call is held longer unless its client is shown progress: clients give up after a minute. */
export const LONGEST_HOLD_MS = 45_000;

/** A submitted command that has not settled yet. */
interface PendingCommand {
  request: CommandRequest;
  outcome: Promise<CommandOutcome>;
  /** The question that a person has to answer first; null if none was asked. */
  approval: Approval | null;
  /** Resolves when a person was asked or the command starts; never if it is denied. */
  decided: Promise<void>;
}

/**
 * The pending commands.
 *
 * An agent's call is held only for a while; the command continues without it,
 * and the agent polls with the command's id.
 */
export class Commands {
  readonly #deps: SubmitDeps & { changes: Changes };
  readonly #terminals: TerminalPool;
  readonly #db: Db;
  readonly #audit: AuditLog;
  readonly #pending = new Map<CommandId, PendingCommand>();

  constructor(deps: SubmitDeps & { changes: Changes; db: Db; audit: AuditLog; terminals: TerminalPool }) {
    this.#deps = deps;
    this.#terminals = deps.terminals;
    this.#audit = deps.audit;
    this.#db = deps.db;
  }

  /** Submits a command and waits for it up to a limit. `onSettled` is called when it has run or never will. */
  async submit(request: CommandRequest, hold: Hold, onSettled: () => void = () => {}): Promise<CommandOutcome> {
    const pending = this.#start(request, onSettled);
    return this.#withDetails(request.commandId, await this.#hold(pending, hold));
  }

  /** Polls a command that an earlier call did not wait for. */
  async poll(agent: AgentRow, commandId: CommandId, wait: WaitStrategy, hold: Hold): Promise<CommandOutcome> {
    return this.#withDetails(commandId, await this.#poll(agent, commandId, wait, hold));
  }

  async #poll(agent: AgentRow, commandId: CommandId, wait: WaitStrategy, hold: Hold): Promise<CommandOutcome> {
    const beganAt = performance.now();
    const pending = this.#pending.get(commandId);
    if (pending?.request.agent.id === agent.id) {
      const outcome = await this.#hold(pending, hold);
      if (outcome.status !== "ran" || isOver(outcome)) return outcome;
      const leftMs = (hold.maxMs ?? LONGEST_HOLD_MS) - (performance.now() - beganAt);
      return this.#waitOn(outcome, within(wait, leftMs), hold.signal);
    }
    const row = await this.#find(agent, commandId);
    if (row.outcome !== null) return JSON.parse(row.outcome) as CommandOutcome;
    const unrecorded = this.#deps.records.endOf(commandId);
    if (unrecorded) return unrecorded;
    if (row.terminalId === null)
      throw new GatewayError("command-not-found", `The state of "${commandId}" is unknown. Run it again.`);
    // An earlier gateway started it, and it is still running.
    const report = await this.#terminals.waitFor(row.terminalId, commandId, wait, hold.signal);
    return { status: "ran", report };
  }

  /** Ends a command and its shell; one that waits for a person is only withdrawn. */
  async kill(agent: AgentRow, commandId: CommandId): Promise<void> {
    const row = await this.#find(agent, commandId);
    if (row.closedAt !== null) return;
    const waiting = await this.#waitingFor(this.#pending.get(commandId));
    if (waiting) return this.#deps.approvals.withdraw(waiting.id, "Its agent withdrew it.");
    if (row.terminalId === null)
      throw new GatewayError("bad-request", "This one cannot be ended early; it ends at its time limit at the latest.");
    // A terminal that a person has taken over is theirs to end.
    assertMayUse(agent, await this.#terminals.get(row.terminalId));
    const actor = { type: "agent", id: agent.id } as const;
    await this.#audit.append({ type: "terminal.killed", actor, commandId, terminalId: row.terminalId });
    await this.#terminals.kill(row.terminalId, { reason: "killed" });
  }

  /** Withdraws the question about a command whose caller no longer waits, as soon as it is asked. */
  async abandon(agent: AgentRow, commandId: CommandId, why: string): Promise<void> {
    await this.#find(agent, commandId);
    const waiting = await this.#waitingFor(this.#pending.get(commandId));
    if (waiting) await this.#deps.approvals.withdraw(waiting.id, why);
  }

  /** The terminal in which a command of this agent runs or ran. */
  async find(agent: AgentRow, commandId: CommandId): Promise<CommandRow> {
    return this.#find(agent, commandId);
  }

  /** This agent's last request for a terminal, which may not exist yet, because a person may have to approve its start. */
  async latestIn(agent: AgentRow, terminalId: TerminalId): Promise<CommandRow | null> {
    const [latest] = await listCommandsIn(this.#db, { agentId: agent.id, terminalId }, 1);
    return latest ?? null;
  }

  /** What happened in a terminal, newest first. */
  async timeline(terminalId: TerminalId, limit: number): Promise<TimelineEntry[]> {
    const entries = await readTimeline(this.#db, this.#terminals, terminalId, limit);
    const words = await this.#deps.changes.describe(entries.map(({ id }) => id));
    return entries.map((entry) => ({ ...entry, changes: words.get(entry.id) ?? null }));
  }

  /** The state of one command; null if it is unknown. */
  async entry(commandId: CommandId): ReturnType<typeof readTimelineEntry> {
    const entry = await readTimelineEntry(this.#db, this.#terminals, commandId);
    return entry && { ...entry, changes: (await this.#deps.changes.describe([commandId])).get(commandId) ?? null };
  }

  /** What agents, or one of them, did since a person's last visit. */
  whileAway(since: number, agentId: AgentId | null = null): Promise<WhileAway> {
    return readWhileAway(this.#db, since, agentId);
  }

  /** The pool reports that a command is done. */
  async finished(...[report, onRecord]: Parameters<CommandRecords["finish"]>): Promise<void> {
    this.#pending.delete(report.commandId);
    this.#deps.changes.ended(report.commandId);
    await this.#deps.records.finish(report, onRecord);
  }

  /**
   * Resumes only commands that an earlier gateway left waiting for a person. The host reports the commands that had
   * started, and the agents of those that had not may have been told that they never will. Returns once each waits again.
   * `onSettled` returns what to do when one has run or never will.
   */
  async resume(onSettled: (act: Act, id: CommandId) => () => void): Promise<number> {
    let resumed = 0;
    const waiting = await this.#deps.approvals.waitingCommands();
    for (const row of await listOpenCommands(this.#db)) {
      if (row.startedAt !== null || row.request === null || !waiting.delete(row.id)) continue;
      const agent = await findAgent(this.#db, row.agentId);
      if (!agent) continue;
      const { act, origin } = JSON.parse(row.request) as { act: Act; origin: Origin };
      const pending = this.#start({ commandId: row.id, agent, origin, act, isResumed: true }, onSettled(act, row.id));
      await Promise.race([pending.decided, pending.outcome.catch(() => {})]); // its agent gets the error
      if (!pending.approval)
        await this.#deps.approvals.withdrawOf(row.id, "The policy now decides this without a question.");
      resumed += 1;
    }
    for (const id of waiting)
      await this.#deps.approvals.withdrawOf(id, "Belay was restarted, and the command can no longer run.");
    return resumed;
  }

  /** Adds a finished command's changes, if they are determined soon enough, and who reads what a waiting one asks for. */
  async #withDetails(commandId: CommandId, outcome: CommandOutcome): Promise<CommandOutcome> {
    if (outcome.status === "ran" && outcome.report.state === "waiting_input") {
      // The terminal may have been closed meanwhile, which the next call reports.
      const reader = await this.#terminals.reader(outcome.report.terminalId).catch(() => null);
      return reader?.kind === "prompt" ? { ...outcome, isShellReadingKeys: true } : outcome;
    }
    if (!isOver(outcome) || (outcome.status !== "ran" && outcome.status !== "done")) return outcome;
    const id = outcome.status === "ran" ? outcome.report.commandId : commandId;
    // It ran: if the database does not answer now, its agent gets the result without them.
    const changes = await this.#deps.changes.summary(id).catch(() => "not-yet" as const);
    return changes ? { ...outcome, changes } : outcome;
  }

  /** Ids grant no access: for this agent, another agent's command does not exist. */
  async #find(agent: AgentRow, commandId: CommandId): Promise<CommandRow> {
    const pending = this.#pending.get(commandId);
    // Its row is committed with its verdict, so one that is still being judged has none yet.
    if (pending?.request.agent.id === agent.id) await Promise.race([pending.decided, pending.outcome.catch(() => {})]);
    const row = await findCommand(this.#db, commandId);
    if (row?.agentId === agent.id) return row;
    throw new GatewayError(
      "command-not-found",
      `No command "${commandId}". It does not exist, or it belongs to another agent.`,
    );
  }

  #start(request: CommandRequest, onSettled: () => void): PendingCommand {
    let onDecided = () => {};
    const decided = new Promise<void>((resolve) => {
      onDecided = resolve;
    });
    const perform: SubmitDeps["perform"] = (...approved) => {
      onDecided();
      return this.#deps.perform(...approved);
    };
    const pending: PendingCommand = {
      request,
      approval: null,
      decided,
      outcome: submitCommand(request, { ...this.#deps, perform }, (approval) => {
        pending.approval = approval;
        onDecided();
      }),
    };
    this.#pending.set(request.commandId, pending);
    const settle = (ended: CommandOutcome | null) => {
      // A running one stays here until the pool reports that it is done.
      if (!ended || isOver(ended) || request.act.type === "type") this.#pending.delete(request.commandId);
      onSettled();
    };
    pending.outcome.then(settle, async () => {
      settle(null);
      await this.#deps.approvals.withdrawOf(request.commandId, "It can no longer run.").catch(() => {}); // expires by itself
    });
    return pending;
  }

  async #hold(pending: PendingCommand, { signal, maxMs = LONGEST_HOLD_MS }: Hold): Promise<CommandOutcome> {
    const limit = deadline(maxMs, signal);
    try {
      const first = await Promise.race([pending.outcome, limit.reached]);
      if (first) return first;
    } finally {
      limit.cancel();
    }
    // Not done within the time: it waits for a person, or it is running.
    const approval = await this.#waitingFor(pending);
    if (approval) return { status: "waiting", approval };
    const { commandId, act } = pending.request;
    const terminalId = terminalOf(act);
    if (terminalId === null || act.type !== "run") return { status: "running", commandId, terminalId };
    const now = { type: "idle", idleMs: null, timeoutMs: 0 } as const;
    try {
      return { status: "ran", report: await this.#terminals.waitFor(terminalId, commandId, now) };
    } catch (error) {
      // It was approved, but has not reached its shell yet.
      if (error instanceof CoreError && error.code === "command-not-found")
        return { status: "running", commandId, terminalId };
      throw error;
    }
  }

  /** The pending question for this command. */
  async #waitingFor(pending: PendingCommand | undefined): Promise<Approval | null> {
    if (!pending?.approval) return null;
    const approval = await this.#deps.approvals.get(pending.approval.id);
    return approval.state.status === "pending" ? approval : null;
  }

  async #waitOn(
    outcome: Extract<CommandOutcome, { status: "ran" }>,
    wait: WaitStrategy,
    signal: AbortSignal,
  ): Promise<CommandOutcome> {
    const { terminalId, commandId } = outcome.report;
    const report = await this.#terminals.waitFor(terminalId, commandId, wait, signal);
    return { ...outcome, report };
  }
}

/** The same wait, but at most this long. */
function within(wait: WaitStrategy, ms: number): WaitStrategy {
  const maxMs = Math.max(0, ms);
  switch (wait.type) {
    case "idle":
      return { ...wait, timeoutMs: Math.min(wait.timeoutMs, maxMs) };
    case "settle":
      return { ...wait, maxMs: Math.min(wait.maxMs, maxMs) };
    case "background":
      return { ...wait, collectMs: Math.min(wait.collectMs, maxMs) };
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
