import type { SummaryLimits } from "@belay/core";
import type { AgentId } from "@belay/protocol";
import type { OutputText, OutputTexts } from "../terminals/output/output-text.ts";
import type { CommandOutcome } from "./outcome.ts";

/** A command's output, and its start position in the terminal. */
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

/** Renders a command's output so far, or from a position on. Empty for a command that did not run. */
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

/** What an interactive shell prints when it ends; not part of any command's output. */
function withoutFarewell(text: string): string {
  return text.replace(/(^|\n)(exit|logout)$/, "");
}
