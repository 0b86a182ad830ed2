import type { Verdict } from "@belay/protocol";
import { completeContext, type JudgeContext } from "./context.ts";
import type { Policy } from "./settings/policy.ts";
import type { ShellMemory } from "./shell/shell-memory.ts";

/** How the text reads as shell: `incomplete` would hang the shell, `invalid` it would refuse, `too-large` nobody reads. */
export type Syntax = "complete" | "incomplete" | "invalid" | "too-large";

export interface Judgement extends Verdict {
  readonly syntax: Syntax;
  /** What the terminal will remember if this runs. Keep it only when it did. */
  readonly memoryAfter: ShellMemory;
}

export function judge(text: string, given: Partial<JudgeContext>, policy: Policy): Judgement {
  const context = completeContext(given, policy.settings.defaultProfile);
  return {
    decision: "ask",
    level: "unknown",
    layer: "level",
    matches: [
      {
        rule: "unknown-program",
        layer: "level",
        decision: "ask",
        reason: `"${text}" is not known to be safe.`,
        span: null,
      },
    ],
    rewrite: null,
    syntax: "complete",
    memoryAfter: context.memory,
  };
}
