import type { RuleMatch, Verdict } from "@belay/protocol";

/** Why it asks, one reason for each cause: that a program is unrecognised says nothing new beside what it does. */
export function reasonsOf({ matches }: Pick<Verdict, "matches">): RuleMatch[] {
  const telling = matches.filter(({ rule }) => rule !== "unknown-program");
  const shown = telling.length > 0 ? telling : matches;
  return [...new Map(shown.map((match) => [match.reason, match])).values()];
}
