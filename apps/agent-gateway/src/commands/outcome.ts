import type { RunOnceResult, UndoResult } from "@belay/core";
import type { Approval, CommandId, CommandReport, TerminalInfo, Verdict } from "@belay/protocol";
import type { Answer } from "../approvals/approvals.ts";
import type { ChangeSummary } from "../changes/words.ts";

/** How a command stands, as its agent may know it. */
export type CommandOutcome = Outcome & {
  /** Its record could not be closed, and is closed as soon as that is possible. */
  isEndUnrecorded?: true;
  /** What it changed in the workspace; missing where that is nothing, or will not be known. */
  changes?: ChangeSummary | "not-yet";
};

type Outcome =
  /** A person has to approve it first. */
  | { status: "waiting"; approval: Approval }
  /** It has not come to its shell yet, or it runs once, with pipes, and is not done. */
  | { status: "running"; commandId: CommandId }
  /** An open quote or here-document: it would hang the shell, so it was not typed. */
  | { status: "incomplete" }
  /** Keys that nobody can judge; none was pressed. */
  | { status: "unreadable"; reason: string }
  /** Somebody stopped this agent, or all of them. */
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
      /** It may have done something; what became of it is not known. */
      hasBegun?: true;
    }
  | {
      status: "ran";
      report: CommandReport;
      /** How much of what was to be typed nobody stayed to read. */
      keptBackCharacters?: number;
      /** A person approved it in other words, and those ran. */
      editedTo?: string;
      /** The policy had a safer form run instead. */
      rewrittenTo?: string;
    }
  /** A client may run it in a shell of its own. */
  | { status: "cleared"; editedTo?: string; rewrittenTo?: string }
  /** The person at the client's own screen decides. */
  | { status: "leftToClient"; verdict: Verdict }
  | { status: "spawned"; terminal: TerminalInfo }
  /** A connection that waited was let through; false where its program had given up. */
  | { status: "connected"; waited: boolean }
  | {
      status: "done";
      result: RunOnceResult;
      /** A person saw beforehand what it does, and took that over: it did not run again. */
      isApplied?: true;
    }
  /** It was to take back an earlier command, and this is what came of it. */
  | { status: "undo"; undoneId: CommandId; result: UndoResult };

/** Whether nothing more can come of it. */
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
