import type { SummaryLimits } from "@belay/core";
import type { AgentId } from "@belay/protocol";
import type { OutputText, OutputTexts } from "../terminals/output/output-text.ts";
import type { CommandOutcome } from "./outcome.ts";

/** What a command printed, and where in its terminal that begins. */
export interface RenderedOutput extends OutputText {
  fromPosition: number;
}

const NOTHING: RenderedOutput = {
  text: "",
  isTruncated: false,
  omitted: null,
  totalLines: 0,
  fullTextPath: null,
  lostBytes: 0,
  fromPosition: 0,
};

/** Renders what a command has printed so far, or only from a position on. What did not run has printed nothing. */
export async function renderOutcome(
  outcome: CommandOutcome,
  outputTexts: OutputTexts,
  { agentId, limits, fromPosition = 0 }: { agentId: AgentId; limits: SummaryLimits; fromPosition?: number },
): Promise<RenderedOutput> {
  if (outcome.status === "done") {
    return { ...(await outputTexts.ofPiped(outcome.result.output, agentId, limits)), fromPosition: 0 };
  }
  if (outcome.status !== "ran") return NOTHING;
  const { terminalId, startPosition, endPosition } = outcome.report;
  const from = Math.min(Math.max(startPosition, fromPosition), endPosition);
  const range = { terminalId, startPosition: from, endPosition };
  const output = await outputTexts.of(range, limits);
  const text = outcome.report.state === "exited" ? withoutFarewell(output.text) : output.text;
  return { ...output, text, fromPosition: from };
}

/** What an interactive shell says when it ends; no command printed it. */
function withoutFarewell(text: string): string {
  return text.replace(/(^|\n)(exit|logout)$/, "");
}
