import { emptyMemory, type JudgeContext, type Judgement, type SecuritySettings } from "@belay/policy";

/**
 * It could not be judged in time, so its effect is unknown: a person decides, unless the profile denies
 * unknown commands.
 */
export function tooSlow(context: Partial<JudgeContext>, { profiles }: SecuritySettings): Judgement {
  const decision = profiles[context.profile ?? ""]?.unknown === "deny" ? "deny" : "ask";
  const reason = "Judging it takes too long, so its effect is unknown. Write it more simply.";
  return {
    decision,
    level: decision === "deny" ? "blocked" : "dangerous",
    layer: "hard-block",
    matches: [{ rule: "judge-timeout", layer: "hard-block", decision, reason, span: null }],
    rewrite: null,
    runs: [],
    syntax: "complete",
    memoryAfter: context.memory ?? emptyMemory,
    mayWrite: true,
  };
}

/** Only people type passwords: an agent that knows one would leave it in its own transcript. */
export function denySecret(context: Partial<JudgeContext>): Judgement {
  const reason =
    "It asks for a password. Only a person may answer that: they can answer this prompt in the console, or take over.";
  const matches = [{ rule: "secret-prompt", layer: "hard-block", decision: "deny", reason, span: null }] as const;
  return {
    decision: "deny",
    level: "blocked",
    layer: "hard-block",
    matches: [...matches],
    rewrite: null,
    runs: [],
    syntax: "complete",
    memoryAfter: context.memory ?? emptyMemory,
    mayWrite: true,
  };
}
