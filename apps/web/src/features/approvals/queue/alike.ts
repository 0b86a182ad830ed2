import type { Approval } from "@belay/protocol";

/** Can be answered in a batch: not dangerous, no file's content to read, and one person's approval is enough. */
export function canAnswerInBulk({ subject, verdict, approversNeeded }: Approval): boolean {
  const runsFiles = subject.files.some(({ isCode }) => isCode);
  return verdict.level !== "dangerous" && verdict.level !== "blocked" && !runsFiles && approversNeeded === 1;
}

/** Similar questions: the same program of the same agent, at the same level, for the same reasons. */
export function isAlike(one: Approval, other: Approval): boolean {
  return (
    one.subject.agentId === other.subject.agentId &&
    one.verdict.level === other.verdict.level &&
    programOf(one) === programOf(other) &&
    rulesOf(one) === rulesOf(other)
  );
}

/** Oldest first, with identical questions grouped behind the oldest of them. */
export function groupEqual(approvals: readonly Approval[]): {
  approvals: Approval[];
  sameAsBefore: ReadonlySet<string>;
} {
  const groups = new Map<string, Approval[]>();
  for (const approval of approvals) {
    const key = JSON.stringify([approval.subject.agentId, approval.subject.text, approval.subject.cwd]);
    const group = groups.get(key);
    if (group) group.push(approval);
    else groups.set(key, [approval]);
  }
  const repeated = [...groups.values()].flatMap(([, ...rest]) => rest.map(({ id }) => id));
  return { approvals: [...groups.values()].flat(), sameAsBefore: new Set(repeated) };
}

/** Each text once, with how often it was requested. */
export function countEqual(approvals: readonly Approval[]): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { subject } of approvals) counts.set(subject.text, (counts.get(subject.text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count }));
}

function programOf({ subject }: Approval): string {
  return (subject.runs[0] ?? subject.text).trim().split(/\s/, 1)[0] ?? "";
}

function rulesOf({ verdict }: Approval): string {
  return [...new Set(verdict.matches.map(({ rule }) => rule))].sort().join(" ");
}
