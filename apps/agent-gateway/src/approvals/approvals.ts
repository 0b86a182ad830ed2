import type { Actor, AgentId, Approval, ApprovalId, ApprovalState, CommandId, TerminalId } from "@belay/protocol";
import type { AuditLog, NewAuditEvent } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { People } from "../people/people.ts";
import type { Person } from "../people/person.ts";
import type { PolicyChanges } from "../policy/policy-changes.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import {
  addVote,
  findApproval,
  insertApproval,
  isSameSubject,
  listApprovalsOf,
  listPendingApprovals,
  listRecentApprovals,
  listVoters,
  listWaitingCommands,
  postponeApproval,
  settleApproval,
  settlingApproval,
} from "../store/tables/approvals.ts";
import { alwaysRules } from "./always-rules.ts";
import { assertCanRun, assertNotOwn } from "./can-run.ts";
import { Deadlines } from "./deadlines.ts";
import type { Freezer } from "./freezer.ts";
import { Grants } from "./grants.ts";
import { alreadySettled, assertMayAnswer, ignoreSettled, noCommandWaits } from "./may-answer.ts";
import type { OwnAgents } from "./own-agents.ts";
import { type Answer, answerOf, type Decision, type EditVerdict, type Question } from "./question.ts";

/** Callers that wait for the answer. */
interface Asker {
  resolve(answer: Answer): void;
  /** The policy's verdict now on the command, or on an edited text, where it would run. */
  judgeNow(text: string | null): Promise<EditVerdict>;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  policyChanges: PolicyChanges;
  people: People;
  freezer: Freezer;
  /** Whether agents are told the name of the person who refused. */
  tellsNames: () => boolean;
  ownAgents: OwnAgents;
  /** Throws the reason if the effect that a person saw cannot be applied now. */
  assertCanApply: (id: ApprovalId, preview: string) => Promise<void>;
  /** Why this gateway starts no command now; null if it does. */
  whyNotNow: () => Promise<string | null>;
  now: () => number;
}

/** Pending questions. Rows are durable; the caller is told when one is settled. */
export class Approvals {
  readonly #deps: Deps;
  readonly #waiting = new Map<ApprovalId, Asker>();
  readonly #deadlines: Deadlines;
  readonly #grants: Grants;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#deadlines = new Deadlines(deps.now);
    this.#grants = new Grants(deps);
  }

  /**
   * Asks, unless an earlier approval covers exactly this. `onAsked` is called with the pending row.
   * A question that an earlier gateway asked about the same command is reused, with its answer.
   */
  async ask(question: Question, judgeNow: Asker["judgeNow"], onAsked: (approval: Approval) => void): Promise<Answer> {
    const granted = await this.#grants.find(question);
    if (granted) return granted;

    const asked = await this.#askedBefore(question);
    const approval = asked ?? this.#compose(question);
    if (approval.state.status !== "pending") return answerOf(approval.id, approval.state);
    // First, because a person may see it and answer before this hears that it is stored.
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(approval.id, { resolve, judgeNow }));
    try {
      if (!asked) await this.#store(approval);
    } catch (error) {
      this.#waiting.delete(approval.id);
      throw error;
    }
    if (this.#waiting.has(approval.id)) this.#armExpiry(approval);
    onAsked(approval);
    this.#deps.events.publish({ type: "approval", event: "asked", approval });
    return answer;
  }

  /** Whether the people who approved still may. */
  async stands(answer: Extract<Answer, { decision: "approve" }>, question: Question): Promise<boolean> {
    return this.#grants.stillCounts(answer.by, question);
  }

  /** The commands with a pending question, including those from before a restart. */
  async waitingCommands(): Promise<Set<CommandId>> {
    return new Set(await listWaitingCommands(this.#deps.db));
  }

  /** A description of a person for agents: their role, and their name if the policy allows it. */
  async describePerson(id: string): Promise<string> {
    const person = await this.#deps.people.find(id).catch(() => null); // the person may have been removed
    if (!person) return "a person";
    return this.#deps.tellsNames() ? `${person.name} (${person.role})` : `an ${person.role}`;
  }

  async list(filter: { state: "pending" | "all" }): Promise<Approval[]> {
    return filter.state === "pending" ? listPendingApprovals(this.#deps.db) : listRecentApprovals(this.#deps.db, 200);
  }

  async get(id: ApprovalId): Promise<Approval> {
    const approval = await findApproval(this.#deps.db, id);
    if (!approval)
      throw new GatewayError("approval-not-found", `No approval "${id}". List the approvals to see what waits.`);
    return approval;
  }

  /** The first answer wins; the second person is told who was first. */
  async decide(id: ApprovalId, decision: Decision, by: Person): Promise<Approval> {
    const [approval, now] = await Promise.all([this.get(id), this.#deps.people.find(by.id)]);
    if (approval.state.status !== "pending") throw alreadySettled(approval.state);
    assertMayAnswer(approval, decision, now);
    if (decision.decision === "approve") {
      await assertNotOwn(approval, by, this.#deps);
      if (!this.#waiting.has(id)) throw noCommandWaits();
      await assertCanRun(approval, { editedText: decision.editedText, by: now }, this.#deps, this);
      if (decision.preview !== undefined) await this.#deps.assertCanApply(id, decision.preview);
    }
    const rules = await alwaysRules(approval, decision, { by: now, policyChanges: this.#deps.policyChanges });
    const actor: Actor = { type: "person", id: by.id };
    const at = this.#deps.now();
    const { commandId } = approval;
    const detail = { approvalId: id, ...decision };
    const answered: NewAuditEvent = { type: "approval.answered", actor, commandId, detail };
    if (decision.decision === "deny") {
      return this.#settle(approval, { status: "denied", by: by.id, at, message: decision.message }, answered);
    }

    const { decision: _, ...given } = decision;
    const needsOthers = approval.approversNeeded > 1;
    if (needsOthers)
      await this.#deps.audit.append(answered, (db) => [addVote(db, { approvalId: id, personId: by.id, at })]);
    const counted = needsOthers ? await this.#countVotes(approval) : [by.id];
    if (counted.length < approval.approversNeeded) {
      this.#deps.events.publish({ type: "approval", event: "asked", approval });
      return approval;
    }
    const state = { status: "approved", by: counted, at, ...given } as const;
    const settled = await this.#settle(approval, state, needsOthers ? null : answered);
    if (rules.length > 0) {
      if (now.role === "admin")
        await this.#deps.policyChanges.addRules(rules, actor, `Always allow, from approval ${id}.`);
      else await this.#deps.policyChanges.propose(approval, rules, actor);
    }
    return settled;
  }

  /** The agents whose commands this person may only refuse. */
  async refuseOnlyFor(personId: string): Promise<AgentId[]> {
    return this.#deps.ownAgents.refuseOnlyFor(personId);
  }

  /** The policy's verdict on a waiting command as it is now (null), or on an edit of it. */
  async judgeEdit(id: ApprovalId, text: string | null): Promise<EditVerdict> {
    const asker = this.#waiting.get(id);
    if (asker) return asker.judgeNow(text);
    const { state } = await this.get(id);
    throw state.status === "pending" ? noCommandWaits() : alreadySettled(state);
  }

  /** Agents were released: their questions have as much time left as when they were frozen. */
  async resumeDeadlines(
    isCovered: (agentId: AgentId) => boolean,
    frozenMs: (agentId: AgentId, since: number) => number,
  ): Promise<void> {
    for (const approval of await listPendingApprovals(this.#deps.db)) {
      const { agentId } = approval.subject;
      if (approval.expiresAt === null || !isCovered(agentId)) continue;
      const expiresAt = approval.expiresAt + frozenMs(agentId, approval.createdAt);
      await postponeApproval(this.#deps.db, approval.id, expiresAt);
      this.#armExpiry({ ...approval, expiresAt });
    }
  }

  /** No answer is needed any more: the agent gave up, or its terminal is gone. */
  async withdraw(id: ApprovalId, reason: string): Promise<void> {
    const approval = await findApproval(this.#deps.db, id);
    if (approval?.state.status !== "pending") return;
    await this.#settle(approval, { status: "withdrawn", at: this.#deps.now(), reason }).catch(ignoreSettled);
  }

  async withdrawOf(commandId: CommandId, reason: string): Promise<void> {
    for (const { id } of await listApprovalsOf(this.#deps.db, commandId)) await this.withdraw(id, reason);
  }

  async withdrawOfAgent(agentId: AgentId, reason: string): Promise<void> {
    const pending = await listPendingApprovals(this.#deps.db);
    for (const { id, subject } of pending) if (subject.agentId === agentId) await this.withdraw(id, reason);
  }

  /** A terminal is gone, so its waiting commands are withdrawn. */
  async withdrawOfTerminal(terminalId: TerminalId, reason: string): Promise<void> {
    const pending = await listPendingApprovals(this.#deps.db);
    for (const { id, subject } of pending) if (subject.terminalId === terminalId) await this.withdraw(id, reason);
  }

  /** Whether a command waits here for this answer. */
  isWaiting(id: string): boolean {
    return this.#waiting.has(id as ApprovalId);
  }

  /** The agents whose commands wait here. */
  async waitingAgents(): Promise<Set<AgentId>> {
    if (this.#waiting.size === 0) return new Set();
    const pending = await listPendingApprovals(this.#deps.db);
    return new Set(pending.filter(({ id }) => this.#waiting.has(id)).map(({ subject }) => subject.agentId));
  }

  /** Another gateway may have answered: the command that waits here continues with the answer in the database. */
  async lookAgain(id: ApprovalId): Promise<void> {
    if (!this.#waiting.has(id)) return;
    const approval = await this.get(id);
    if (approval.state.status === "pending") return this.#armExpiry(approval);
    this.#answer(id, approval.state);
  }

  async lookAgainAtAll(): Promise<void> {
    for (const id of this.#waiting.keys()) await this.lookAgain(id);
  }

  close(): void {
    this.#deadlines.close();
  }

  /** The question of an earlier gateway about the same command. If it was about something else, it is withdrawn. */
  async #askedBefore(question: Question): Promise<Approval | null> {
    const [latest, ...older] = await listApprovalsOf(this.#deps.db, question.commandId);
    const fits =
      latest !== undefined &&
      isSameSubject(latest.subject, question.subject) &&
      (latest.state.status !== "approved" || (await this.#grants.stillCounts(latest.state.by, question)));
    for (const { id } of fits || !latest ? older : [latest, ...older]) {
      await this.withdraw(id, "Its effect has changed since it was asked; it is asked again.");
    }
    return fits ? latest : null;
  }

  /** The people whose votes count: one who voted may have lost the role since. */
  async #countVotes({ id, subject, approvers }: Approval): Promise<string[]> {
    return this.#grants.whoCounts(await listVoters(this.#deps.db, id), subject.agentId, approvers);
  }

  #compose(question: Question): Approval {
    const { timeoutMs, ...asked } = question;
    const createdAt = this.#deps.now();
    return {
      id: newId("apr"),
      ...asked,
      createdAt,
      expiresAt: timeoutMs === null ? null : createdAt + timeoutMs,
      state: { status: "pending" },
    };
  }

  async #store(approval: Approval): Promise<void> {
    const { terminalId, agentId } = approval.subject;
    const asking = {
      type: "command.asked",
      actor: { type: "agent", id: agentId },
      commandId: approval.commandId,
      ...(terminalId ? { terminalId } : {}),
      detail: { approvalId: approval.id, expiresAt: approval.expiresAt, approversNeeded: approval.approversNeeded },
    } as const;
    await this.#deps.audit.append(asking, (db) => [insertApproval(db, approval)]);
  }

  /** Committed with its row of the record, if it has one: an answer without a record does not count. */
  async #settle(
    approval: Approval,
    state: Exclude<ApprovalState, { status: "pending" }>,
    answered: NewAuditEvent | null = null,
  ): Promise<Approval> {
    try {
      if (answered) await this.#deps.audit.append(answered, (db) => [settlingApproval(db, approval, state)]);
      else await settleApproval(this.#deps.db, approval, state);
    } catch (error) {
      ignoreSettled(error);
      throw alreadySettled((await this.get(approval.id)).state);
    }
    if (state.status === "approved" && state.editedText === null) await this.#grants.add(approval, state.scope);
    const settled = { ...approval, state };
    this.#deps.events.publish({ type: "approval", event: "settled", approval: settled });
    this.#answer(approval.id, state);
    return settled;
  }

  #answer(id: ApprovalId, state: Exclude<ApprovalState, { status: "pending" }>): void {
    this.#deadlines.clear(id);
    this.#waiting.get(id)?.resolve(answerOf(id, state));
    this.#waiting.delete(id);
  }

  #armExpiry(approval: Approval): void {
    const { id, expiresAt } = approval;
    if (expiresAt !== null) this.#deadlines.arm(id, expiresAt, () => this.#expire(approval));
  }

  async #expire(approval: Approval): Promise<void> {
    // Deadlines are suspended while the agent is frozen: the timer is set again at its release.
    if (await this.#deps.freezer.isFrozen(approval.subject.agentId)) return;
    // Another gateway may have released its agent, and moved the deadline.
    const { expiresAt, state } = await this.get(approval.id);
    if (state.status !== "pending") return this.#answer(approval.id, state);
    if (expiresAt !== null && expiresAt > this.#deps.now()) return this.#armExpiry({ ...approval, expiresAt });
    await this.#settle(approval, { status: "expired", at: this.#deps.now() }).catch(ignoreSettled);
  }
}
