import type { AgentId, Approval, ApprovalScope } from "@belay/protocol";
import type { People } from "../people/people.ts";
import type { Db } from "../store/database.ts";
import { findApproval, findGrant, insertGrant } from "../store/tables/approvals.ts";
import type { OwnAgents } from "./own-agents.ts";
import { type Answer, type Question, runsFiles } from "./question.ts";

type Approved = Extract<Answer, { decision: "approve" }>;

interface Deps {
  db: Db;
  people: People;
  ownAgents: OwnAgents;
  now: () => number;
}

/** Approvals that cover the same again, and whose approval counts. */
export class Grants {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** An earlier approval that covers exactly this, by people who may still give it. */
  async find(question: Question): Promise<Approved | null> {
    const { db, now } = this.#deps;
    const grantedBy = await findGrant(db, question.subject, now());
    const granting = grantedBy === null ? undefined : await findApproval(db, grantedBy);
    if (granting?.state.status !== "approved") return null;
    const { by } = granting.state;
    if (!(await this.stillCounts(by, question))) return null;
    return { decision: "approve", approvalId: granting.id, by, editedText: null };
  }

  /** Whether the people who approved still may. */
  async stillCounts(by: readonly string[], { approvers, approversNeeded, subject }: Question): Promise<boolean> {
    return (await this.whoCounts(by, subject.agentId, approvers)).length >= approversNeeded;
  }

  /** Of these people, those whose approval counts now. */
  async whoCounts(by: readonly string[], agentId: AgentId, roles: Approval["approvers"]): Promise<string[]> {
    const { people, ownAgents } = this.#deps;
    return ownAgents.whoMayApprove(agentId, await people.withRole(by, roles));
  }

  /** Stores an approval that reaches further than this once. */
  async add(approval: Approval, scope: ApprovalScope): Promise<void> {
    const { db, now } = this.#deps;
    const { id, subject } = approval;
    const inThisTerminal = { approvalId: id, subject, expiresAt: null };
    const inAnyTerminal = { ...inThisTerminal, subject: { ...subject, terminalId: null } };
    if (scope.type === "terminal") await insertGrant(db, inThisTerminal);
    if (scope.type === "always" && runsFiles(approval)) await insertGrant(db, inAnyTerminal);
    if (scope.type !== "minutes") return;
    await insertGrant(db, { ...inAnyTerminal, expiresAt: now() + scope.minutes * 60_000 });
  }
}
