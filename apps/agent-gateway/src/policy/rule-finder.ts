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

/** A command as a list shows it: equal ones are one. */
export interface CountedCommand {
  text: string;
  count: number;
}

/** Rules that would have saved questions, and everything that speaks for and against them. */
export interface FoundRules {
  /** Stands for exactly these rules. */
  key: string;
  rules: TeamRule[];
  /** Questions that would not have been asked. */
  saved: number;
  covers: CountedCommand[];
  /** What else of the record would run without a question: nobody approved these. */
  alsoAllows: CountedCommand[];
  /** What could be made of it, and is not let through. */
  withstands: Misuse[];
}

export interface FewerQuestions {
  since: number;
  asked: number;
  approved: number;
  refused: number;
  /** Those that the rules below would have saved, taken together. */
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

/** What a rule is replayed on. */
interface Past {
  asked: readonly Approval[];
  /** Whenever that was, as far as it would not run anyway. */
  refused: readonly ManyText[];
  others: readonly ManyText[];
}

const MOST_APPROVALS = 5_000;
const MOST_COMMANDS = 10_000;
const MOST_FOUND = 30;
const MOST_SHOWN = 50;

/**
 * Works out rules from past answers.
 *
 * 1. What people approved gives the narrowest rules that would have allowed it.
 * 2. Each is replayed on what people ever refused: one that lets any of it through is dropped.
 * 3. Each is tried against the known ways to misuse its program: one that lets any through is dropped.
 * 4. What is left is offered with what it saves and what else of the record it would let run.
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

  /** Adds rules that were offered to the policy. */
  async accept(rules: TeamRule[], by: Actor): Promise<void> {
    if (rules.some(({ decision }) => decision !== "allow"))
      throw new GatewayError("policy-broken", "Only rules that allow something come from answers.");
    await this.#deps.policyChanges.addRules(rules, by, "Worked out from earlier answers.");
  }

  /** Never offers these rules again. They stand with the proposals that an admin rejected. */
  async dismiss(rules: TeamRule[], by: Actor): Promise<void> {
    const { audit, db, now, events } = this.#deps;
    const id = newId("prp");
    const detail = { proposalId: id, decision: "reject", rules: rules.map(({ id: rule }) => rule) };
    await audit.append({ type: "policy.proposal-settled", actor: by, detail });
    const json = JSON.stringify(rules);
    await insertProposal(db, { id, approvalId: WORKED_OUT, rules: json, author: by, at: now(), status: "rejected" });
    events.publish({ type: "policy" });
  }

  /** Sets of rules, each of which allows something that people approved; those that nobody wants left out. */
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

  /** Commands of the record that nobody was asked about, or that were asked about before. */
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

/** In place of the approval that a proposal came from. */
const WORKED_OUT = "apr-worked-out" as ApprovalId;

/** What a shell reads, and what has not been written in other words: the rest is judged by more than its text. */
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

/** Null where a part of the command can have no rule: the others would save nothing. */
function rulesOf(suggestions: readonly RuleSuggestion[]): TeamRule[] | null {
  const rules = suggestions.flatMap(({ rule }) => (rule ? [rule] : []));
  return rules.length === 0 || rules.length < suggestions.length ? null : rules;
}

/** What makes rules the same, whatever they are called and prove. */
function keyOf(rules: readonly TeamRule[]): string {
  const parts = rules.map(({ program, args, exactArgs, pattern }) =>
    JSON.stringify([program, args, exactArgs, pattern]),
  );
  return [...new Set(parts)].sort().join(" ");
}

/** The same rules from several commands prove what each of them was for. */
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
