import type { Verdict } from "@belay/protocol";
import type { CommandOutcome } from "./outcome.ts";

/** How a command stands, in words for its agent. */
export interface OutcomeWords {
  /** Why it did not run, or what it waits for. Null for what runs or ran: its output speaks for it. */
  message: string | null;
  /** It did not run, and will not. */
  isNotRun: boolean;
  /** The policy or a person stopped it. */
  isBlocked: boolean;
  rule: string | null;
  /** The part of the text that it was stopped for. */
  part: string | null;
  /** A safer way, as a command. */
  saferWay: string | null;
  approvalId: string | null;
  /** What the agent would not expect of it, a sentence each. */
  notes: string[];
}

interface About {
  /** What was asked for, to show which part of it was refused. */
  text: string;
  /** The address that people open. */
  url: string;
}

export function describeOutcome(outcome: CommandOutcome, { text, url }: About): OutcomeWords {
  switch (outcome.status) {
    case "incomplete":
      return notRun("a quote, bracket or here-document is still open. Close it and send the whole command again.");
    case "unreadable":
      return notRun(outcome.reason);
    case "frozen":
      return notRun("a person has stopped all work of this agent for now. Wait, and ask them before you go on.");
    case "failed":
      return outcome.hasBegun
        ? { ...notRun(""), message: `${outcome.message} ${LOOK_FIRST}` }
        : notRun(outcome.message);
    case "denied":
      return denied(outcome.verdict, text);
    case "refused": {
      const { message, approvalId } = outcome.answer;
      return { ...notRun(message ?? "a person refused it."), isBlocked: true, approvalId };
    }
    case "waiting":
      return {
        ...NOTHING_TO_SAY,
        message: "Not run yet: a person has to approve it first.",
        approvalId: outcome.approval.id,
        notes: [`A person answers at ${url}/approvals?id=${outcome.approval.id}`],
      };
    case "ran":
      return { ...NOTHING_TO_SAY, notes: notesOn(outcome) };
    case "done":
      return { ...NOTHING_TO_SAY, notes: notesOnRecord(outcome) };
    case "running":
    case "spawned":
      return NOTHING_TO_SAY;
  }
}

const LOOK_FIRST = "How far it came is not known: look before you run it again.";

const NOTHING_TO_SAY: OutcomeWords = {
  message: null,
  isNotRun: false,
  isBlocked: false,
  rule: null,
  part: null,
  saferWay: null,
  approvalId: null,
  notes: [],
};

function notRun(why: string): OutcomeWords {
  return { ...NOTHING_TO_SAY, message: `Not run: ${why}`, isNotRun: true };
}

function denied({ matches: [match], rewrite }: Verdict, text: string): OutcomeWords {
  const part = match?.span ? text.slice(match.span.start, match.span.end) : null;
  return {
    ...notRun(match?.reason ?? "the policy does not allow it."),
    isBlocked: true,
    rule: match?.rule ?? null,
    part: part === "" ? null : part,
    saferWay: rewrite?.command ?? null,
  };
}

function notesOn(outcome: Extract<CommandOutcome, { status: "ran" }>): string[] {
  const { rewrittenTo, keptBackCharacters = 0 } = outcome;
  return [
    ...notesOnRecord(outcome),
    ...(rewrittenTo === undefined ? [] : [`The policy ran a safer form of it: ${rewrittenTo}`]),
    ...(keptBackCharacters === 0
      ? []
      : [`The last ${keptBackCharacters} characters were not typed: nobody read them any more.`]),
  ];
}

function notesOnRecord({ isEndUnrecorded }: CommandOutcome): string[] {
  return isEndUnrecorded
    ? ["It ran, and its end is not on record yet: the record cannot be written at the moment."]
    : [];
}
