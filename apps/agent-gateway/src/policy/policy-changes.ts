import { addRulesToText, type RuleSuggestion, type TeamRule } from "@belay/policy";
import type { Actor, Approval } from "@belay/protocol";
import { createTwoFilesPatch } from "diff";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { findAgent } from "../store/tables/agents.ts";
import {
  findPolicyVersion,
  insertProposal,
  listOpenProposals,
  listPolicyVersions,
  type PolicyProposal,
  type PolicyVersion,
  settleProposal,
} from "../store/tables/policy-versions.ts";
import type { PolicyStore, WaitingEdit } from "./policy-store.ts";
import { type JudgeThreads, JudgeTimeout } from "./threads/judge-threads.ts";

export interface Proposal extends Omit<PolicyProposal, "rules"> {
  rules: TeamRule[];
}

interface Deps {
  store: PolicyStore;
  judgeThreads: JudgeThreads;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  now: () => number;
}

/** Changes and rollbacks of the policy, and proposed rules. */
export class PolicyChanges {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The rules with which "always" would allow an approval's command; null rules come with the reason. */
  async suggest({ subject }: Approval): Promise<RuleSuggestion[]> {
    const { source, context } = this.#deps.store.current;
    const { text, cwd, env, stdin, argv, surface, agentId } = subject;
    const profile = (await findAgent(this.#deps.db, agentId))?.profile ?? source.settings.defaultProfile;
    const given = { ...context, profile, cwd, env, stdin, argv, surface };
    try {
      return await this.#deps.judgeThreads.run({ type: "suggest", text, context: given }, source, "people");
    } catch (error) {
      if (!(error instanceof JudgeTimeout)) throw error;
      return [{ part: text, rule: null, reason: "It takes too long to judge." }];
    }
  }

  versions(limit: number): Promise<PolicyVersion[]> {
    return listPolicyVersions(this.#deps.db, limit);
  }

  /** The change as a unified diff; against the active policy if `to` is not given. */
  async diff(from: number, to: number | undefined): Promise<string> {
    const before = await this.#version(from);
    const after = to === undefined ? this.#deps.store.current : await this.#version(to);
    if (before.text === after.text) return "";
    const name = (seq: number | undefined) => (seq === undefined ? "in force" : `version ${seq}`);
    return createTwoFilesPatch(name(from), name(to), before.text ?? "", after.text ?? "");
  }

  /** The pending edit of the file, with its diff; null if there is none. */
  waitingEdit(): (WaitingEdit & { diff: string }) | null {
    const { waiting, current } = this.#deps.store;
    if (!waiting) return null;
    const diff = createTwoFilesPatch("in force", "edited", current.text ?? "", waiting.text ?? "");
    return { ...waiting, diff };
  }

  async rollBack(seq: number, by: Actor) {
    const found = await this.#version(seq);
    const { store } = this.#deps;
    return store.save(found.text ?? "{}\n", {
      by,
      note: `Back to version ${seq}.`,
      basedOn: store.current.version,
      replacesBroken: true,
    });
  }

  async addRules(rules: TeamRule[], by: Actor, note: string) {
    const { store } = this.#deps;
    const { text, version } = store.current;
    return store.save(addRulesToText(text ?? "", rules), { by, note, basedOn: version });
  }

  async propose(approval: Approval, rules: TeamRule[], by: Actor): Promise<Proposal> {
    const { audit, db, now, events } = this.#deps;
    const proposal: Proposal = {
      id: newId("prp"),
      approvalId: approval.id,
      rules,
      author: by,
      at: now(),
      status: "open",
    };
    const detail = { proposalId: proposal.id, approvalId: approval.id, rules: rules.map(({ id }) => id) };
    await audit.append({ type: "policy.proposed", actor: by, detail });
    await insertProposal(db, { ...proposal, rules: JSON.stringify(rules) });
    events.publish({ type: "policy" });
    return proposal;
  }

  async proposals(): Promise<Proposal[]> {
    const open = await listOpenProposals(this.#deps.db);
    return open.map((row) => ({ ...row, rules: JSON.parse(row.rules) as TeamRule[] }));
  }

  async settleProposal(id: string, decision: "accept" | "reject", by: Actor): Promise<void> {
    const { db, audit, now, events } = this.#deps;
    const proposal = (await this.proposals()).find((open) => open.id === id);
    const gone = new GatewayError("proposal-not-found", "This proposal does not exist or is already settled.");
    if (!proposal) throw gone;
    if (decision === "accept") await this.addRules(proposal.rules, by, `Accepted proposal ${id}.`);
    await audit.append({ type: "policy.proposal-settled", actor: by, detail: { proposalId: id, decision } });
    const status = decision === "accept" ? "accepted" : "rejected";
    if (!(await settleProposal(db, id, { status, settledBy: JSON.stringify(by), settledAt: now() }))) throw gone;
    events.publish({ type: "policy" });
  }

  async #version(seq: number): Promise<PolicyVersion> {
    const found = await findPolicyVersion(this.#deps.db, seq);
    if (found) return found;
    throw new GatewayError("policy-version-not-found", `There is no version ${seq}. List them to see which there are.`);
  }
}
