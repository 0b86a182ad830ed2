import type { Hunk, RunOnceResult, UndoResult } from "@belay/core";
import type { Approval, CommandId, CommandReport, TerminalId, TerminalInfo, Verdict } from "@belay/protocol";
import type { Answer } from "../approvals/question.ts";
import type { ChangeSummary } from "../changes/words.ts";
import type { PreviewView } from "../previews/previews.ts";

/** The state of a command, as its agent may know it. */
export type CommandOutcome = Outcome & {
  /** Its record could not be closed, which is retried. */
  isEndUnrecorded?: true;
  /** What it changed in the workspace; missing if nothing, or unknown. */
  changes?: ChangeSummary | "not-yet";
  /** The client that asked about it had gone before it was told no, so it may have run it nevertheless. */
  isUndelivered?: true;
};

type Outcome =
  /** A person has to approve it first. */
  | { status: "waiting"; approval: Approval }
  /** It has not reached its shell yet, or it is a one-shot program that is still running. */
  | { status: "running"; commandId: CommandId; terminalId: TerminalId | null }
  /** An open quote or here-document: it would hang the shell, so it was not typed. */
  | { status: "incomplete" }
  /** Keys that cannot be judged; none was pressed. */
  | { status: "unreadable"; reason: string }
  /** A person has frozen this agent, or all of them. */
  | { status: "frozen" }
  | { status: "denied"; verdict: Verdict }
  | {
      status: "refused";
      verdict: Verdict;
      answer: Extract<Answer, { decision: "deny" }>;
      /** Who refused it, as the agent may know them. */
      decider?: string;
    }
  | {
      status: "failed";
      message: string;
      /** It may have had an effect; its outcome is unknown. */
      hasBegun?: true;
    }
  | {
      status: "ran";
      report: CommandReport;
      /** The shell itself waits for a single key, which an agent may not press. */
      isShellReadingKeys?: true;
      /** How many characters were not typed, because the program stopped reading. */
      keptBackCharacters?: number;
      /** A person approved it with an edited text, which ran. */
      editedTo?: string;
      /** The policy ran a safer form instead. */
      rewrittenTo?: string;
    }
  /** A client may run it in its own shell. */
  | { status: "cleared"; editedTo?: string; rewrittenTo?: string }
  /** The person at the client's own screen decides. */
  | { status: "leftToClient"; verdict: Verdict }
  /** The client was not told that it may run it, or may ask about it at its own screen. */
  | { status: "undelivered"; answer: "allow" | "ask"; why: UndeliveredReason }
  | { status: "spawned"; terminal: TerminalInfo }
  /** A waiting connection was allowed; false if its program had given up. */
  | { status: "connected"; waited: boolean }
  | {
      status: "done";
      result: RunOnceResult;
      /** A person saw its effect beforehand, and that was applied: it did not run again. */
      isApplied?: true;
    }
  /** What it would change; nothing was run for real. */
  | { status: "previewed"; preview: PreviewView; diffs: Record<string, Hunk[]> }
  /** The result of an undo. */
  | { status: "undo"; undoneId: CommandId; result: UndoResult };

/** The client no longer waited, or it had been told no before, because its time was up. */
type UndeliveredReason = Exclude<Delivery, "delivered">;
export type Delivery = "delivered" | "gone" | "late";

/** What is true about an outcome once it is known whether its client was told. */
export function afterDelivery(outcome: CommandOutcome, delivery: Delivery): CommandOutcome {
  if (delivery === "delivered") return outcome;
  if (outcome.status === "cleared") return { status: "undelivered", answer: "allow", why: delivery };
  if (outcome.status === "leftToClient") return { status: "undelivered", answer: "ask", why: delivery };
  return delivery === "gone" ? { ...outcome, isUndelivered: true } : outcome;
}

/** Whether it is final. */
export function isOver(outcome: CommandOutcome): boolean {
  switch (outcome.status) {
    case "waiting":
    case "running":
      return false;
    case "ran":
      return outcome.report.state === "completed" || outcome.report.state === "exited";
    default:
      return true;
  }
}

/** Whether it runs or ran, here or in a client's own shell. */
export function hasRun(outcome: CommandOutcome): outcome is Extract<CommandOutcome, { status: "ran" | "cleared" }> {
  return outcome.status === "ran" || outcome.status === "cleared";
}
