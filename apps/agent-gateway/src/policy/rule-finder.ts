import { knownMisuses, type Misuse, type RuleSuggestion, type TeamRule } from "@belay/policy";
import type { Actor, Approval, ApprovalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { listAgents } from "../store/tables/agents.ts";
import { listApprovalsSince, listDeniedApprovals } from "../store/tables/approvals.ts";
import { listRecentCommands } from "../store/tables/commands.ts";
import { insertProposal, listRejectedProposals } from "../store/tables/policy-versions.ts";
import type { PolicyChanges } from "./policy-changes.ts";
import type { PolicyStore } from "./policy-store.ts";
import { judgeMany } from "./threads/judge-many.ts";
import type { ManyText, PolicySource } from "./threads/judge-task.ts";
import type { JudgeThreads } from "./threads/judge-threads.ts";

/** A command as a list shows it, with identical ones combined. */
export interface CountedCommand {
  text: string;
  count: number;
}

/** Suggested rules that would have saved questions, with everything for and against them. */
export interface FoundRules {
  /** An id for exactly these rules. */
  key: string;
  rules: TeamRule[];
  /** Questions that would not have been asked. */
  saved: number;
  covers: CountedCommand[];
  /** Recorded commands that would also run without a question, although they were never approved. */
  alsoAllows: CountedCommand[];
  /** Known misuses of the program that the rules do not allow. */
  withstands: Misuse[];
}

export interface FewerQuestions {
  since: number;
  asked: number;
  approved: number;
  refused: number;
  /** The number that all rules below would have saved together. */
  saved: number;
  found: FoundRules[];
}

interface Deps {
  store: PolicyStore;
  judgeThreads: JudgeThreads;
  policyChanges: PolicyChanges;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  now: () => number;
}

/** Past commands on which a rule is replayed. */
interface Past {
  asked: readonly Approval[];
  /** Of any age, unless they would run anyway. */
  refused: readonly ManyText[];
  others: readonly ManyText[];
}

const MOST_APPROVALS = 5_000;
const MOST_COMMANDS = 10_000;
const MOST_FOUND = 30;
const MOST_SHOWN = 50;

/**
 * Suggests rules from past answers.
 *
 * 1. Approved commands give the narrowest rules that would have allowed them.
 * 2. Each is replayed on all refused commands: one that allows any of them is dropped.
 * 3. Each is tried on known misuses of its program: one that allows any is dropped.
 * 4. The rest are suggested, with what they save and which other recorded commands they would allow.
 */
export class RuleFinder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async find(since: number): Promise<FewerQuestions> {
    const approvals = await listApprovalsSince(this.#deps.db, since, MOST_APPROVALS);
    const asked = approvals.filter(isText);
    const of = (status: Approval["state"]["status"]) => approvals.filter(({ state }) => state.status === status);
    const candidates = await this.#candidates(asked.filter(wasApproved));
    const past = {
      asked,
      refused: await this.#refused(),
      others: await this.#otherCommands(asked),
    };
    const found: FoundRules[] = [];
    const savedIds = new Set<ApprovalId>();
    for (const rules of candidates) {
      const offered = await this.#prove(rules, past);
      if (!offered) continue;
      found.push(offered.found);
      for (const id of offered.savedIds) savedIds.add(id);
    }
    return {
      since,
      asked: approvals.length,
      approved: of("approved").length,
      refused: of("denied").length,
      saved: savedIds.size,
      found: found.sort((a, b) => b.saved - a.saved).slice(0, MOST_FOUND),
    };
  }

  /** Adds suggested rules to the policy. */
  async accept(rules: TeamRule[], by: Actor): Promise<void> {
    if (rules.some(({ decision }) => decision !== "allow"))
      throw new GatewayError("policy-broken", "Only rules that allow something come from answers.");
    await this.#deps.policyChanges.addRules(rules, by, "Suggested from earlier answers.");
  }

  /** Never suggests these rules again. Stored like proposals that an admin rejected. */
  async dismiss(rules: TeamRule[], by: Actor): Promise<void> {
    const { audit, db, now, events } = this.#deps;
    const id = newId("prp");
    const detail = { proposalId: id, decision: "reject", rules: rules.map(({ id: rule }) => rule) };
    await audit.append({ type: "policy.proposal-settled", actor: by, detail });
    const json = JSON.stringify(rules);
    await insertProposal(db, { id, approvalId: WORKED_OUT, rules: json, author: by, at: now(), status: "rejected" });
    events.publish({ type: "policy" });
  }

  /** Sets of rules, each of which allows an approved command, without dismissed ones. */
  async #candidates(approved: readonly Approval[]): Promise<TeamRule[][]> {
    const rejected = new Set(
      (await listRejectedProposals(this.#deps.db)).map((json) => keyOf(JSON.parse(json) as TeamRule[])),
    );
    const { source } = this.#deps.store.current;
    const sets = new Map<string, TeamRule[]>();
    const seen = new Set<string>();
    for (const approval of approved) {
      const { text, profile } = approval.subject;
      if (seen.has(`${profile}\n${text}`)) continue;
      seen.add(`${profile}\n${text}`);
      const suggestions = await this.#deps.policyChanges.suggest(approval);
      const rules = rulesOf(suggestions);
      if (rules === null) continue;
      const exists = rules.every((rule) => source.settings.rules.some(({ id }) => id === rule.id));
      const key = keyOf(rules);
      if (!exists && !rejected.has(key)) sets.set(key, mergeExamples(sets.get(key), rules));
    }
    return [...sets.values()];
  }

  async #prove(rules: TeamRule[], { asked, refused, others }: Past) {
    const { store, judgeThreads } = this.#deps;
    const { source: before, context } = store.current;
    const after = withRules(before, rules);
    const programs = new Set(rules.flatMap(({ program }) => (program === undefined ? [] : [program].flat())));
    const concerns = (text: string) => [...programs].some((program) => text.includes(program));
    const judge = (texts: readonly ManyText[], source: PolicySource) => judgeMany(judgeThreads, texts, context, source);

    const unwanted = await judge(refused, after);
    if (unwanted.some(({ decision }) => decision === "allow")) return null;

    const near = asked.filter(({ subject }) => concerns(subject.text));
    const answered = await judge(near.map(textOf), after);
    const allowed = near.filter((_, index) => answered[index]?.decision === "allow");
    const saved = allowed.filter(wasApproved);
    if (saved.length === 0) return null;

    const misuses = rules.flatMap(knownMisuses);
    const tried = misuses.map(({ command }) => ({ text: command, profile: saved[0]?.subject.profile ?? "" }));
    const [harmful, anyway] = [await judge(tried, after), await judge(tried, before)];
    if (harmful.some(({ decision }, index) => decision === "allow" && anyway[index]?.decision !== "allow")) return null;

    const rest = [
      ...others.filter(({ text }) => concerns(text)),
      ...allowed.filter((each) => !wasApproved(each)).map(textOf),
    ];
    const [ran, runs] = [await judge(rest, before), await judge(rest, after)];
    const also = rest.filter((_, index) => ran[index]?.decision !== "allow" && runs[index]?.decision === "allow");
    const found: FoundRules = {
      key: keyOf(rules),
      rules,
      saved: saved.length,
      covers: count(saved.map(({ subject }) => subject.text)),
      alsoAllows: count(also.map(({ text }) => text)),
      withstands: misuses.filter((_, index) => anyway[index]?.decision !== "allow"),
    };
    return { found, savedIds: saved.map(({ id }) => id) };
  }

  async #refused(): Promise<ManyText[]> {
    const { store, judgeThreads, db } = this.#deps;
    const { source, context } = store.current;
    const texts = (await listDeniedApprovals(db, MOST_APPROVALS)).map(textOf);
    const judged = await judgeMany(judgeThreads, texts, context, source);
    return texts.filter((_, index) => judged[index]?.decision !== "allow");
  }

  /** Recorded commands that were not asked about, or not in this time. */
  async #otherCommands(asked: readonly Approval[]): Promise<ManyText[]> {
    const { db, store } = this.#deps;
    const profiles = new Map((await listAgents(db)).map(({ id, profile }) => [id, profile]));
    const known = new Set(asked.map(({ commandId }) => commandId));
    return (await listRecentCommands(db, MOST_COMMANDS))
      .filter(({ id }) => !known.has(id))
      .map(({ line, agentId }) => ({
        text: line,
        profile: profiles.get(agentId) ?? store.settings.defaultProfile,
      }));
  }
}

/** The id used in place of a proposal's approval. */
const WORKED_OUT = "apr-worked-out" as ApprovalId;

/** Only commands for a shell, unedited: anything else is judged by more than its text. */
function isText({ subject }: Approval): boolean {
  const isBare = Object.keys(subject.env).length === 0 && subject.stdin === null && subject.argv === null;
  return subject.surface === "execute" && isBare && !subject.files.some(({ isCode }) => isCode);
}

function wasApproved({ state }: Approval): boolean {
  return state.status === "approved" && state.editedText === null;
}

function textOf({ subject: { text, profile } }: Approval): ManyText {
  return { text, profile };
}

/** Null if a part of the command can have no rule: rules for the rest would save nothing. */
function rulesOf(suggestions: readonly RuleSuggestion[]): TeamRule[] | null {
  const rules = suggestions.flatMap(({ rule }) => (rule ? [rule] : []));
  return rules.length === 0 || rules.length < suggestions.length ? null : rules;
}

/** The identity of rules, without ids and examples. */
function keyOf(rules: readonly TeamRule[]): string {
  const parts = rules.map(({ program, args, exactArgs, pattern }) =>
    JSON.stringify([program, args, exactArgs, pattern]),
  );
  return [...new Set(parts)].sort().join(" ");
}

/** Combines the examples if several commands lead to the same rules. */
function mergeExamples(one: readonly TeamRule[] | undefined, other: TeamRule[]): TeamRule[] {
  if (!one) return other;
  return other.map((rule, index) => {
    const match = [...new Set([...(one[index]?.match ?? []), ...rule.match])].slice(0, 5);
    return { ...rule, match };
  });
}

function withRules(source: PolicySource, rules: readonly TeamRule[]): PolicySource {
  const settings = { ...source.settings, rules: [...source.settings.rules, ...rules] };
  return { ...source, key: `${source.key} and ${keyOf(rules)}`, settings };
}

function count(texts: readonly string[]): CountedCommand[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, times]) => ({ text, count: times }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_SHOWN);
}
