import type { ApprovalScope } from "@belay/protocol";

/** A person's answer. */
export type Answer =
  | {
      decision: "approve";
      scope: ApprovalScope;
      command?: string;
      /** Applies what this preview showed, in place of a run. */
      preview?: string;
    }
  | { decision: "deny"; message?: string };

/** Which form the person has open. */
export type AnswerMode = "reading" | "editing" | "refusing" | "confirming";
