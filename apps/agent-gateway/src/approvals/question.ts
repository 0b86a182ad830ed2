import type {
  Approval,
  ApprovalId,
  ApprovalScope,
  ApprovalState,
  ApprovalSubject,
  CommandId,
  Verdict,
} from "@belay/protocol";

/** What is asked of people. */
export interface Question {
  commandId: CommandId;
  subject: ApprovalSubject;
  verdict: Verdict;
  approvers: Approval["approvers"];
  approversNeeded: number;
  /** Null: it waits without a limit. */
  timeoutMs: number | null;
}

/** The verdict on an edit, and who may approve it; a problem if it cannot run at all. */
export interface EditVerdict extends Pick<Question, "verdict" | "approvers" | "approversNeeded"> {
  problem: string | null;
}

/** What a person says. */
export type Decision =
  | { decision: "approve"; scope: ApprovalScope; editedText: string | null; preview?: string }
  | { decision: "deny"; message: string | null };

/** The result of asking. */
export type Answer =
  | {
      decision: "approve";
      approvalId: ApprovalId;
      by: string[];
      editedText: string | null;
      /** The preview whose effect is applied instead of a run. */
      preview?: string;
    }
  | {
      decision: "deny";
      approvalId: ApprovalId;
      reason: "denied" | "expired" | "withdrawn";
      by: string | null;
      message: string | null;
    };

export function answerOf(approvalId: ApprovalId, state: Exclude<ApprovalState, { status: "pending" }>): Answer {
  switch (state.status) {
    case "approved":
      return {
        decision: "approve",
        approvalId,
        by: state.by,
        editedText: state.editedText,
        ...(state.preview === undefined ? {} : { preview: state.preview }),
      };
    case "denied":
      return { decision: "deny", approvalId, reason: "denied", by: state.by, message: state.message };
    case "expired":
      return { decision: "deny", approvalId, reason: "expired", by: null, message: "No one answered in time." };
    case "withdrawn":
      return { decision: "deny", approvalId, reason: "withdrawn", by: null, message: state.reason };
  }
}

/** Whether the content of files affects what it does: then "always" covers that content. */
export function runsFiles({ subject }: Approval): boolean {
  return subject.files.some(({ isCode }) => isCode);
}
