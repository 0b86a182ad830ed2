"use client";

import type { Approval } from "@belay/protocol";
import { AnswerBar } from "./answer-bar.tsx";
import type { useAnswerForm } from "./use-answer-form.ts";

/** Everything between a person and their answer: why it cannot be given yet, what went wrong, and the ways out. */
export function ApprovalAnswer({
  approval,
  form,
  isRead,
  isFrozen,
  canAnswer,
}: {
  approval: Approval;
  form: ReturnType<typeof useAnswerForm>;
  isRead: boolean;
  isFrozen: boolean;
  canAnswer: boolean;
}) {
  if (!canAnswer)
    return (
      <p className="text-sm text-muted">The policy wants the role {approval.approvers.join(" or ")} to answer this.</p>
    );
  return (
    <>
      {isFrozen && (
        <p className="mb-3 text-sm text-danger">
          Its agent is frozen, so it can’t run. Release the agent first; the question stays open.
        </p>
      )}
      {!isFrozen && !isRead && (
        <p className="mb-3 text-sm text-attention">Read all of it first: there is more than what is in sight.</p>
      )}
      {form.problem && (
        <p role="alert" className="mb-3 text-sm text-danger">
          {form.problem}
        </p>
      )}
      <AnswerBar
        approval={approval}
        mode={form.mode}
        scope={form.scope}
        isReady={form.isReady}
        canApprove={form.canApprove}
        onMode={form.setMode}
        onScope={form.setScope}
        onApprove={form.approve}
        onAnswer={form.answer}
      />
    </>
  );
}
