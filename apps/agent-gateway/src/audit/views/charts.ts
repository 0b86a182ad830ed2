import type { Decision } from "@belay/protocol";
import type { Db } from "../../store/database.ts";
import {
  type ApprovalFact,
  countCommandsByAgent,
  listApprovalFacts,
  listVerdicts,
} from "../../store/tables/record/charts.ts";
import { yieldToEventLoop } from "../rows.ts";

/** At most this many verdicts, the newest: a month of a very busy team. */
const MOST_VERDICTS = 500_000;
const MOST_APPROVALS = 20_000;
const TOP = 8;

export interface Charts {
  /** Commands by verdict; each begins at `at` and lasts `stepMs`. */
  verdicts: { stepMs: number; steps: ({ at: number } & Record<Decision, number>)[] };
  /** How long answers took. */
  waits: { answered: number; medianMs: number | null; worstMs: number | null; expired: number };
  /** Who answered how often, and how. */
  answerers: { personId: string; approved: number; denied: number; medianMs: number }[];
  agents: { agentId: string; commands: number }[];
  /** The most frequent questions, by the text that people read. */
  asked: { text: string; approvalId: string; asked: number; approved: number; denied: number }[];
}

/** Statistics of the record between two moments. */
export async function readCharts(db: Db, range: { from: number; to: number }): Promise<Charts> {
  const approvals = await listApprovalFacts(db, range, MOST_APPROVALS);
  const waits = approvals.flatMap((fact) => (fact.answeredAt === null ? [] : [fact.answeredAt - fact.createdAt]));
  return {
    verdicts: await countVerdicts(db, range),
    waits: {
      answered: waits.length,
      medianMs: median(waits),
      worstMs: waits.length === 0 ? null : Math.max(...waits),
      expired: approvals.filter(({ status }) => status === "expired").length,
    },
    answerers: answerersOf(approvals),
    agents: await countCommandsByAgent(db, range, TOP),
    asked: mostAsked(approvals),
  };
}

async function countVerdicts(db: Db, { from, to }: { from: number; to: number }): Promise<Charts["verdicts"]> {
  const stepMs = stepFor(to - from);
  const first = Math.floor(from / stepMs) * stepMs;
  const steps = Array.from({ length: Math.max(1, Math.ceil((to - first) / stepMs)) }, (_, index) => ({
    at: first + index * stepMs,
    allow: 0,
    ask: 0,
    deny: 0,
  }));
  let seen = 0;
  for await (const page of listVerdicts(db, { from, to })) {
    for (const { at, decision } of page) {
      const step = steps[Math.floor((at - first) / stepMs)];
      if (step && isDecision(decision)) step[decision] += 1;
    }
    seen += page.length;
    if (seen >= MOST_VERDICTS) break;
    await yieldToEventLoop();
  }
  return { stepMs, steps };
}

const STEPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 3_600_000, 4 * 3_600_000, 24 * 3_600_000, 7 * 24 * 3_600_000];
const MOST_STEPS = 62;

/** Round steps, at most as many as fit on a screen. */
function stepFor(rangeMs: number): number {
  return STEPS_MS.find((stepMs) => rangeMs / stepMs <= MOST_STEPS) ?? Math.ceil(rangeMs / MOST_STEPS);
}

function answerersOf(approvals: readonly ApprovalFact[]): Charts["answerers"] {
  const byPerson = new Map<string, { approved: number; denied: number; waits: number[] }>();
  for (const { by, status, createdAt, answeredAt } of approvals) {
    for (const personId of by) {
      const own = byPerson.get(personId) ?? { approved: 0, denied: 0, waits: [] };
      if (status === "approved") own.approved += 1;
      if (status === "denied") own.denied += 1;
      if (answeredAt !== null) own.waits.push(answeredAt - createdAt);
      byPerson.set(personId, own);
    }
  }
  return [...byPerson]
    .map(([personId, { waits, ...counts }]) => ({ personId, ...counts, medianMs: median(waits) ?? 0 }))
    .sort((a, b) => b.approved + b.denied - (a.approved + a.denied))
    .slice(0, TOP);
}

function mostAsked(approvals: readonly ApprovalFact[]): Charts["asked"] {
  const byText = new Map<string, Charts["asked"][number]>();
  for (const { id, text, status } of approvals) {
    const own = byText.get(text) ?? { text, approvalId: id, asked: 0, approved: 0, denied: 0 };
    own.asked += 1;
    if (status === "approved") own.approved += 1;
    if (status === "denied") own.denied += 1;
    byText.set(text, own);
  }
  return [...byText.values()].sort((a, b) => b.asked - a.asked).slice(0, TOP);
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

function isDecision(value: string | null): value is Decision {
  return value === "allow" || value === "ask" || value === "deny";
}
