import {
  addApprovalPatterns,
  addBlockedPatterns,
  createPolicy,
  type InputReader,
  type JudgeContext,
  type Judgement,
  judge,
  judgeTyped,
  type Policy,
  type RuleSuggestion,
  type SecuritySettings,
  suggestRule,
  type TypedJudgement,
} from "@belay/policy";

/** Patterns that a program brings besides the file. */
export interface CodePatterns {
  blocked: (string | RegExp)[];
  approval: (string | RegExp)[];
}

/** A policy in the form in which it goes to another thread, with a key by which that thread knows it again. */
export interface PolicySource extends CodePatterns {
  key: string;
  settings: SecuritySettings;
}

/** What takes as long as an agent's text makes it take. */
export type JudgeTask =
  | { type: "text"; text: string; context: Partial<JudgeContext> }
  | { type: "keys"; text: string; reader: InputReader; context: Partial<JudgeContext> }
  | { type: "suggest"; text: string; context: Partial<JudgeContext> };

export interface JudgeResults {
  text: Judgement;
  keys: TypedJudgement;
  suggest: RuleSuggestion[];
}

export function policyFrom({ settings, blocked, approval }: Omit<PolicySource, "key">): Policy {
  return addApprovalPatterns(addBlockedPatterns(createPolicy(settings), blocked), approval);
}

export function performTask(task: JudgeTask, policy: Policy): JudgeResults[JudgeTask["type"]] {
  switch (task.type) {
    case "text":
      return judge(task.text, task.context, policy);
    case "keys":
      return judgeTyped(task.text, task.reader, task.context, policy);
    case "suggest":
      return suggestRule(task.text, task.context, policy);
  }
}
