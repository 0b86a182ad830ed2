import type { RunOnceResult, SummaryLimits } from "@belay/core";
import type { Approval, CommandId, CommandReport, TerminalInfo, Verdict } from "@belay/protocol";
import type { OutputText, OutputTexts } from "../terminals/output-text.ts";
import type { CommandView } from "./commands.ts";
import { isFinal } from "./outcome.ts";

/** How a command stands, in words that every toolset can use. */
export type CommandDescription =
  | NotRun
  | { kind: "waiting"; approval: Approval; message: string; hint: string }
  /** With pipes, and not done. */
  | { kind: "running"; commandId: CommandId }
  | {
      kind: "ran";
      report: CommandReport;
      isDone: boolean;
      shown: OutputText;
      /** Where what is shown begins. */
      fromPosition: number;
      rewrittenTo: string | null;
      keptBackCharacters: number;
    }
  | { kind: "done"; result: RunOnceResult; shown: OutputText }
  | { kind: "spawned"; terminal: TerminalInfo };

export interface NotRun {
  kind: "not-run";
  message: string;
  isBlocked: boolean;
  rule: string | null;
  /** The part of the text that it was refused for. */
  part: string | null;
  /** A way that is safer, as a command. */
  saferWay: string | null;
  approvalId: string | null;
}

export interface DescribeOptions {
  limits: SummaryLimits;
  /** What was asked for, to show which part of it was refused. */
  text: string;
  /** Shows only what was printed from here on. */
  fromPosition?: number;
}

interface DescribeDeps {
  outputTexts: OutputTexts;
  /** The address that people open. */
  url: () => string;
}

/** Says how a command stands, with what it printed. */
export async function describeCommand(
  view: CommandView,
  { outputTexts, url }: DescribeDeps,
  options: DescribeOptions,
): Promise<CommandDescription> {
  switch (view.status) {
    case "incomplete":
      return notRun("a quote, bracket or here-document is still open. Close it and send the whole command again.");
    case "unreadable":
      return notRun(view.reason);
    case "frozen":
      return notRun("a person has stopped all work of this agent for now. Wait, and ask them before you go on.");
    case "failed":
      return notRun(view.message);
    case "denied":
      return denied(view.verdict, options.text);
    case "refused":
      return {
        ...notRun(view.answer.message ?? "a person refused it."),
        isBlocked: true,
        approvalId: view.answer.approvalId,
      };
    case "waiting":
      return {
        kind: "waiting",
        approval: view.approval,
        message: "Not run yet: a person has to approve it first.",
        hint: `A person answers at ${url()}/approvals?id=${view.approval.id}`,
      };
    case "running":
      return { kind: "running", commandId: view.commandId };
    case "spawned":
      return { kind: "spawned", terminal: view.terminal };
    case "done":
      return {
        kind: "done",
        result: view.result,
        shown: await outputTexts.ofPiped(view.result.output, options.limits),
      };
    case "ran": {
      const { report } = view;
      const { terminalId, startPosition, endPosition } = report;
      const fromPosition = Math.min(Math.max(startPosition, options.fromPosition ?? 0), endPosition);
      const range = { terminalId, startPosition: fromPosition, endPosition };
      return {
        kind: "ran",
        report,
        isDone: isFinal(report),
        shown: await outputTexts.of(range, options.limits),
        fromPosition,
        rewrittenTo: view.rewrittenTo ?? null,
        keptBackCharacters: view.keptBackCharacters ?? 0,
      };
    }
  }
}

function notRun(why: string): NotRun {
  const message = `Not run: ${why}`;
  return { kind: "not-run", message, isBlocked: false, rule: null, part: null, saferWay: null, approvalId: null };
}

function denied({ matches: [match], rewrite }: Verdict, text: string): NotRun {
  const part = match?.span ? text.slice(match.span.start, match.span.end) : null;
  return {
    ...notRun(match?.reason ?? "the policy does not allow it."),
    isBlocked: true,
    rule: match?.rule ?? null,
    part: part === "" ? null : part,
    saferWay: rewrite?.command ?? null,
  };
}
