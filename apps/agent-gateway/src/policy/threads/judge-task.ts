import {
  addApprovalPatterns,
  addBlockedPatterns,
  createPolicy,
  type InputReader,
  type JudgeContext,
  type Judgement,
  judge,
  judgeTyped,
  loadSecurityFile,
  type Policy,
  type RuleSuggestion,
  type SecurityFileError,
  type SecuritySettings,
  suggestRule,
  type TypedJudgement,
} from "@belay/policy";

/** Patterns that an embedding program adds to the file. */
export interface CodePatterns {
  blocked: (string | RegExp)[];
  approval: (string | RegExp)[];
}

/** A policy in a form that can be sent to another thread, with a key under which that thread caches it. */
export interface PolicySource extends CodePatterns {
  key: string;
  settings: SecuritySettings;
}

/** Work whose duration depends on an agent's text. */
export type JudgeTask =
  | { type: "text"; text: string; context: Partial<JudgeContext> }
  | { type: "keys"; text: string; reader: InputReader; context: Partial<JudgeContext> }
  | { type: "suggest"; text: string; context: Partial<JudgeContext> }
  /** Many texts at once, with only the decision as a result. */
  | { type: "many"; texts: readonly ManyText[]; context: Partial<JudgeContext> }
  /** Whether a text is a valid policy. The policy of the task is not used. */
  | { type: "load"; text: string; context: Partial<JudgeContext> };

export interface ManyText {
  text: string;
  profile: string;
  /** Without one, it is judged as if there were no wall. */
  wall?: JudgeContext["wall"];
}

/** The result for one of many. */
export type BriefJudgement = Pick<Judgement, "decision" | "runs">;

export type LoadedDraft =
  | { ok: true; settings: SecuritySettings; notices: readonly string[] }
  | { ok: false; errors: readonly SecurityFileError[] };

export interface JudgeResults {
  text: Judgement;
  keys: TypedJudgement;
  suggest: RuleSuggestion[];
  many: BriefJudgement[];
  load: LoadedDraft;
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
    case "many":
      return task.texts.map(({ text, profile, wall = null }) => {
        const { decision, runs } = judge(text, { ...task.context, profile, wall }, policy);
        return { decision, runs };
      });
    case "load": {
      const loaded = loadSecurityFile(task.text);
      return loaded.ok ? { ok: true, settings: loaded.policy.settings, notices: loaded.notices } : loaded;
    }
  }
}
