import type { ApprovalScope } from "@belay/protocol";

/** What a person answers. */
export type Answer =
  | {
      decision: "approve";
      scope: ApprovalScope;
      command?: string;
      /** Takes over what this preview showed, in place of a run. */
      preview?: string;
    }
  | { decision: "deny"; message?: string };

/** What the person is in the middle of. */
export type AnswerMode = "reading" | "editing" | "refusing" | "confirming";
