import type { RuleSuggestion } from "@belay/agent-gateway/router";

type Rule = NonNullable<RuleSuggestion["rule"]>;

/** What a rule allows, in words. */
export function ruleWords({ program, args = [], exactArgs, pattern }: Rule): { command: string; reach: string } {
  const command = [[program ?? []].flat().join(" or "), ...args].join(" ").trim();
  if (pattern) return { command: command || pattern, reach: `where it matches ${pattern}` };
  return { command, reach: exactArgs ? "exactly this, and nothing else" : "this, with any further arguments" };
}
