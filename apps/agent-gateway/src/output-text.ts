import { summarise, type TerminalPool, type TextRenderer } from "@belay/core";
import type { CommandReport } from "@belay/protocol";

/** The most that is rendered of one command; head and tail are what a model gets to see anyway. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** What a command printed, as a person would have seen it, cut to what a model can use. */
export async function outputText(
  terminals: TerminalPool,
  renderer: TextRenderer,
  report: CommandReport,
): Promise<string> {
  const [{ bytes, missedBytes }, { cols, rows }] = await Promise.all([
    terminals.read(report.terminalId, {
      fromPosition: report.startPosition,
      maxBytes: Math.min(report.endPosition - report.startPosition, MAX_OUTPUT_BYTES),
    }),
    terminals.get(report.terminalId),
  ]);
  const { text } = await renderer.renderText(bytes, { cols, rows });
  const notice = missedBytes > 0 ? `… the first ${missedBytes.toLocaleString("en")} bytes are no longer kept …\n` : "";
  return notice + summarise(text).text;
}
