import { type RuleMatch, showHidden, type Verdict } from "@belay/protocol";

export interface Explanation {
  /** For people: the decision, each reason with its part of the text, and what to do instead. */
  readonly forPerson: string;
  /** For an agent: one line. */
  readonly forAgent: string;
}

const OPENING = { allow: "This may run.", ask: "A person decides about this.", deny: "This does not run." } as const;

/** A verdict in plain words. Invisible and reordering characters in the text are named. */
export function explain(verdict: Verdict, text: string): Explanation {
  const reasons = verdict.matches.map(
    (match) => `- ${match.reason} (${match.rule}, ${match.layer})${quotePart(match, text)}`,
  );
  const rewrite =
    verdict.rewrite === null ? [] : [`Instead: ${showHidden(verdict.rewrite.command)}`, verdict.rewrite.reason];
  const person = [
    OPENING[verdict.decision],
    ...(reasons.length > 0 ? reasons : ["- Nothing in it is known to be harmful."]),
    ...rewrite,
  ];
  return { forPerson: person.join("\n"), forAgent: explainToAgent(verdict) };
}

function explainToAgent(verdict: Verdict): string {
  const first = verdict.matches[0];
  if (first === undefined) return `${verdict.decision}: nothing objects (level ${verdict.level}).`;
  const more = verdict.matches.length > 1 ? ` (+${verdict.matches.length - 1} more)` : "";
  const rewrite = verdict.rewrite === null ? "" : ` Use instead: ${showHidden(verdict.rewrite.command)}`;
  return `${verdict.decision} by ${first.layer} rule ${first.rule}: ${first.reason}${more}${rewrite}`.replace(
    /\s*\n\s*/g,
    " ",
  );
}

const MAX_QUOTED = 120;

function quotePart({ span }: RuleMatch, text: string): string {
  if (span === null) return "";
  const part = text.slice(span.start, span.end);
  const short = part.length > MAX_QUOTED ? `${part.slice(0, MAX_QUOTED)}…` : part;
  return part.trim() === "" ? "" : `: ${showHidden(short).replaceAll("\n", "⏎")}`;
}
