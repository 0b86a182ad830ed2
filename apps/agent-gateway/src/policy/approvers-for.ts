import type { SecuritySettings } from "@belay/policy";
import type { Verdict } from "@belay/protocol";

/** Who may answer what these rules ask, and how many of them it takes. The strictest rule counts. */
export function approversFor(
  { approval, rules }: SecuritySettings,
  verdict: Verdict,
): { approvers: ("operator" | "admin")[]; approversNeeded: number } {
  const asking = new Set(verdict.matches.filter(({ decision }) => decision === "ask").map(({ rule }) => rule));
  const own = rules.filter(({ id }) => asking.has(id));
  const lists = [approval.approvers, ...own.flatMap(({ approvers }) => (approvers ? [approvers] : []))];
  return {
    approvers: (["operator", "admin"] as const).filter((role) => lists.every((list) => list.includes(role))),
    approversNeeded: Math.max(approval.approversNeeded, ...own.map(({ approversNeeded }) => approversNeeded ?? 1)),
  };
}
