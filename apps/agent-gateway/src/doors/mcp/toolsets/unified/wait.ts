import { isSlowCommand, type SummaryLimits, type TaskLimits, type WaitStrategy } from "@belay/core";
import type { ToolCall, ToolHost } from "../../tool-call.ts";
import type { CheckedInput } from "./input.ts";

/** The defaults of this toolset for this agent. */
export function unifiedDefaults({ agent, gateway }: ToolHost) {
  return gateway.agents.toolDefaults(agent).unified;
}

/** How much output a reply has. */
export function summaryLimits(host: ToolHost, maxChars?: number): SummaryLimits {
  const { outputCharacters, previewCharacters, lineCharacters } = unifiedDefaults(host);
  if (maxChars === undefined) {
    return { maxChars: outputCharacters, previewChars: previewCharacters, maxLineChars: lineCharacters };
  }
  return { maxChars, previewChars: maxChars, maxLineChars: Math.max(lineCharacters, Math.round(maxChars / 4)) };
}

/** Until it ends or waits for input; silence also counts, except for commands known to be slow. */
export function waitForRun(command: string, input: CheckedInput, call: ToolCall): WaitStrategy {
  const { idleMs, timeoutMs, slowTimeoutMs, slowCommands, backgroundCollectMs } = unifiedDefaults(call);
  if (input.async) return { type: "background", collectMs: 0 };
  if (input.background) return { type: "background", collectMs: backgroundCollectMs };
  const isSlow = isSlowCommand(command, slowCommands);
  return {
    type: "idle",
    idleMs: input.idle_ms ?? (isSlow ? null : idleMs),
    timeoutMs: call.longestWait(input.timeout ?? (isSlow ? slowTimeoutMs : timeoutMs)),
  };
}

/** At once, unless the agent wants to wait. */
export function waitForPoll({ wait_ms = 0 }: CheckedInput, call: ToolCall): WaitStrategy {
  return { type: "idle", idleMs: null, timeoutMs: call.longestWait(wait_ms) };
}

/** The hard time limit of a command. */
export function taskLimits({ async: isAsync, max_duration }: CheckedInput, call: ToolCall): TaskLimits | undefined {
  const { taskMaxMs, abandonedReplMs } = unifiedDefaults(call);
  const askedMs = max_duration === undefined ? null : Math.round(max_duration * 1000);
  if (isAsync) return { maxDurationMs: Math.min(askedMs ?? taskMaxMs, taskMaxMs), maxWaitingMs: abandonedReplMs };
  return askedMs === null ? undefined : { maxDurationMs: askedMs, maxWaitingMs: askedMs };
}
