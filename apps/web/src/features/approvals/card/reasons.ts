import type { RuleMatch, Verdict } from "@belay/protocol";

/** Why it needs approval, one reason per cause: "unrecognised" adds nothing beside what the program does. */
export function reasonsOf({ matches }: Pick<Verdict, "matches">): RuleMatch[] {
  const telling = matches.filter(({ rule }) => rule !== "unknown-program");
  const shown = telling.length > 0 ? telling : matches;
  return [...new Map(shown.map((match) => [match.reason, match])).values()];
}
