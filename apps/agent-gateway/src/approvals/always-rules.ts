import type { TeamRule } from "@belay/policy";
import type { Approval } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { Person } from "../people/person.ts";
import type { PolicyChanges } from "../policy/policy-changes.ts";
import { type Decision, runsFiles } from "./question.ts";

/** What "always" would add to the policy; throws if no rule covers exactly this. */
export async function alwaysRules(
  approval: Approval,
  decision: Decision,
  { by, policyChanges }: { by: Person; policyChanges: PolicyChanges },
): Promise<TeamRule[]> {
  if (decision.decision !== "approve" || decision.scope.type !== "always") return [];
  if (runsFiles(approval)) {
    if (by.role === "admin") return []; // a grant for this content is used instead of a rule
    const why =
      "It runs files, and a rule would also cover their later content. An admin can always allow this content.";
    throw new GatewayError("no-rule-for-always", why);
  }
  const suggestions = await policyChanges.suggest(approval);
  const without = suggestions.filter(({ rule }) => rule === null);
  if (suggestions.length > 0 && without.length === 0) return suggestions.flatMap(({ rule }) => rule ?? []);
  const why = without.map(({ part, reason }) => `${part}: ${reason}`).join(" ");
  throw new GatewayError("no-rule-for-always", `No rule can always allow this. ${why}`.trim());
}
