import type { Approval, ReachedLimit, Verdict } from "@belay/protocol";
import { describeUndone } from "../changes/words.ts";
import { describePreviewed } from "../previews/words.ts";
import type { CommandOutcome } from "./outcome.ts";

/** Why an agent cannot answer a `read -n1`. */
export const SHELL_READS_KEYS =
  "The shell itself reads single keys here (such as read -n), which is indistinguishable from its prompt, so only a person " +
  "may press one. Send Ctrl-C to end it, and use a plain read.";

/** The state of a command, in words for its agent. */
export interface OutcomeWords {
  /** Why it did not run, or what it waits for. Null for a command that runs or ran: its output says enough. */
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
  /** Notes about unexpected effects, one sentence each. */
  notes: string[];
}

interface About {
  /** The submitted text, to show which part of it was refused. */
  text: string;
  /** The address that people open. */
  url: string;
}

export function describeOutcome(outcome: CommandOutcome, { text, url }: About): OutcomeWords {
  switch (outcome.status) {
    case "incomplete":
      return notRun("a quote, bracket or here-document is not closed. Close it and send the whole command again.");
    case "unreadable":
      return notRun(outcome.reason);
    case "frozen":
      return notRun("a person has frozen this agent. Wait, and ask them before you continue.");
    case "failed":
      return outcome.hasBegun
        ? { ...notRun(""), message: `${outcome.message} ${LOOK_FIRST}` }
        : notRun(outcome.message);
    case "denied":
      return denied(outcome.verdict, text);
    case "refused":
      return refused(outcome);
    case "waiting":
      return waiting(outcome.approval, text, url);
    case "ran":
      return { ...NOTHING_TO_SAY, notes: notesOn(outcome) };
    case "done":
      return {
        ...NOTHING_TO_SAY,
        notes: [
          ...notesOnRecord(outcome),
          ...notesOnLimit(outcome.result.limit),
          ...(outcome.isApplied ? [APPLIED] : []),
        ],
      };
    case "leftToClient":
      return { ...NOTHING_TO_SAY, message: firstReason(outcome.verdict), rule: firstMatch(outcome.verdict, text).rule };
    case "undo":
      return describeUndo(outcome);
    case "previewed":
      return { ...NOTHING_TO_SAY, message: describePreviewed(outcome.preview, outcome.diffs) };
    case "running":
    case "spawned":
    case "connected":
    case "cleared":
    case "undelivered":
      return NOTHING_TO_SAY;
  }
}

const APPLIED =
  "It ran in a preview that a person looked at, and exactly that effect was applied; the shell itself ran nothing.";
const LOOK_FIRST = "It is unknown how far it got: check before you run it again.";

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

function waiting({ id, verdict, subject, expiresAt, createdAt }: Approval, text: string, url: string): OutcomeWords {
  const { rule, part } = firstMatch(verdict, text);
  const where = subject.terminalId === null ? "" : ` in ${subject.terminalId}`;
  const howLong = expiresAt === null ? "until a person answers" : `for up to ${duration(expiresAt - createdAt)}`;
  return {
    ...NOTHING_TO_SAY,
    message: `Not run yet: a person has to approve it first. ${firstReason(verdict)} It waits${where} ${howLong}.`,
    rule,
    part,
    approvalId: id,
    notes: [`A person answers at ${url}/approvals?id=${id}`],
  };
}

function refused({ answer, decider }: Extract<CommandOutcome, { status: "refused" }>): OutcomeWords {
  const { reason, message, approvalId } = answer;
  const why = {
    denied: `${decider ?? "a person"} refused it${message === null ? ", without saying why." : `: ${message}`}`,
    expired: "no one answered in time. Ask the person whether you may send it again.",
    withdrawn: message ?? "it was withdrawn.",
  };
  return { ...notRun(why[reason]), isBlocked: true, approvalId };
}

/** In the largest unit that fits. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`;
}

function firstReason({ matches: [match] }: Verdict): string {
  return match?.reason ?? "The policy requires a person to approve it.";
}

function firstMatch({ matches: [match] }: Verdict, text: string): Pick<OutcomeWords, "rule" | "part"> {
  const part = match?.span ? text.slice(match.span.start, match.span.end) : "";
  return { rule: match?.rule ?? null, part: part === "" ? null : part };
}

function denied(verdict: Verdict, text: string): OutcomeWords {
  return {
    ...notRun(verdict.matches[0]?.reason ?? "the policy does not allow it."),
    isBlocked: true,
    ...firstMatch(verdict, text),
    saferWay: verdict.rewrite?.command ?? null,
  };
}

function describeUndo({ undoneId, result }: Extract<CommandOutcome, { status: "undo" }>): OutcomeWords {
  switch (result.status) {
    case "undone": {
      const skipped = result.skipped.length === 0 ? "" : ` Left unchanged: ${result.skipped.join(", ")}.`;
      const kept = result.keptFolders.length === 0 ? "" : ` Not empty, so kept: ${result.keptFolders.join(", ")}.`;
      const message = `Undid what ${undoneId} changed: ${describeUndone(result.undone)}.${skipped}${kept}`;
      return { ...NOTHING_TO_SAY, message };
    }
    case "conflicts": {
      const open = result.plan.steps.filter(({ action }) => action === "conflict");
      const files = open.map(({ path, reason }) => `${path} (${reason})`).join(", ");
      return notRun(`nothing was undone, because these files have changed since: ${files}`);
    }
    case "changed":
      return notRun("the files changed while it waited. Nothing was undone; look again and send it again.");
    case "not-kept":
      return notRun("the history no longer has its changes.");
  }
}

function notesOn(outcome: Extract<CommandOutcome, { status: "ran" }>): string[] {
  const { editedTo, rewrittenTo, keptBackCharacters = 0 } = outcome;
  return [
    ...notesOnRecord(outcome),
    ...notesOnLimit(outcome.report.limit),
    ...(outcome.isShellReadingKeys ? [SHELL_READS_KEYS] : []),
    ...(editedTo === undefined ? [] : [`A person changed it to \`${editedTo}\`, and that ran.`]),
    ...(rewrittenTo === undefined ? [] : [`The policy ran a safer form of it: ${rewrittenTo}`]),
    ...(keptBackCharacters === 0
      ? []
      : [`The last ${keptBackCharacters} characters were not typed, because the program stopped reading.`]),
  ];
}

const LIMITS: Record<ReachedLimit, string> = {
  processes:
    "It started as many processes as one terminal may have (limits.terminal.processes), and could start no more.",
  memory:
    "It used as much memory as one terminal may have (limits.terminal.memoryBytes), so the system ended a program of it.",
  "file-size": "It wrote a file up to the largest size that is allowed (limits.terminal.fileBytes), and was ended.",
};

function notesOnLimit(limit: ReachedLimit | undefined): string[] {
  return limit === undefined ? [] : [`${LIMITS[limit]} Only a person can raise the limit.`];
}

function notesOnRecord({ isEndUnrecorded }: CommandOutcome): string[] {
  return isEndUnrecorded
    ? ["It ran, and its end is not on record yet: the record cannot be written at the moment."]
    : [];
}
