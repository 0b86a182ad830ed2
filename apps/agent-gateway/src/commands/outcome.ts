import type { RunOnceResult } from "@belay/core";
import type { CommandReport, TerminalInfo, Verdict } from "@belay/protocol";
import type { Answer } from "../approvals/approvals.ts";

/** What became of a command, as its agent may know it. */
export type CommandOutcome =
  /** An open quote or here-document: it would hang the shell, so it was not typed. */
  | { status: "incomplete" }
  /** Keys that nobody can judge; none was pressed. */
  | { status: "unreadable"; reason: string }
  /** Somebody stopped this agent, or all of them. */
  | { status: "frozen" }
  | { status: "denied"; verdict: Verdict }
  | { status: "refused"; verdict: Verdict; answer: Extract<Answer, { decision: "deny" }> }
  | { status: "failed"; message: string }
  | {
      status: "ran";
      report: CommandReport;
      /** How much of what was to be typed nobody stayed to read. */
      keptBackCharacters?: number;
      /** The policy had a safer form run instead. */
      rewrittenTo?: string;
    }
  | { status: "spawned"; terminal: TerminalInfo }
  | { status: "done"; result: RunOnceResult };

/** Whether anything can still come of it. */
export function isSettled(outcome: CommandOutcome): boolean {
  return outcome.status !== "ran" || isFinal(outcome.report);
}

export function isFinal(report: CommandReport): boolean {
  return report.state === "completed" || report.state === "exited";
}
