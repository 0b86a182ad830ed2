import type { SummaryLimits } from "@belay/core";
import type { ToolHost } from "../tool-call.ts";

/** What this toolset does for this agent where a call does not say. */
export function unifiedDefaults({ agent, gateway }: ToolHost) {
  return gateway.agents.toolDefaults(agent).unified;
}

export function summaryLimits(host: ToolHost): SummaryLimits {
  const { outputCharacters, previewCharacters, lineCharacters } = unifiedDefaults(host);
  return { maxChars: outputCharacters, previewChars: previewCharacters, maxLineChars: lineCharacters };
}
