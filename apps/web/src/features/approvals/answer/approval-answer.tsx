"use client";

import type { Approval } from "@belay/protocol";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import type { Reading } from "../reading/read-gate.tsx";
import { AnswerBar } from "./answer-bar.tsx";
import type { useAnswerForm } from "./use-answer-form.ts";
import { HOLDS_ANSWERS } from "./use-key-guard.ts";

/** The answer area: why it is not possible yet, what went wrong, and the buttons. */
export function ApprovalAnswer({
  approval,
  form,
  reading,
  isFrozen,
  canAnswer,
  isRefuseOnly,
}: {
  approval: Approval;
  form: ReturnType<typeof useAnswerForm>;
  reading: Reading;
  isFrozen: boolean;
  canAnswer: boolean;
  /** The agent acts for this person, and the policy leaves the approval to others. */
  isRefuseOnly: boolean;
}) {
  if (!canAnswer)
    return (
      <p className="text-sm text-muted">
        The policy requires the role {approval.approvers.join(" or ")} to answer this.
      </p>
    );
  return (
    <div {...HOLDS_ANSWERS}>
      {isRefuseOnly && (
        <p className="mb-3 text-sm text-muted">
          This agent acts for you, and the policy requires another person to approve for it. You can refuse it.
        </p>
      )}
      {isFrozen && !isRefuseOnly && (
        <p className="mb-3 text-sm text-danger">
          Its agent is frozen, so it can’t run. Release the agent first; the question stays open.
        </p>
      )}
      {!isFrozen && !reading.isRead && !isRefuseOnly && (
        <p className="mb-3 text-sm text-attention">
          Read all of it first: there is more than what is in sight.{" "}
          <button type="button" onClick={reading.showNext} className="cursor-pointer underline underline-offset-4">
            Show it
          </button>
        </p>
      )}
      <ErrorMessage className="mb-3">{form.problem}</ErrorMessage>
      <AnswerBar
        approval={approval}
        mode={form.mode}
        scope={form.scope}
        isReady={form.isReady}
        canApprove={form.canApprove}
        isRefuseOnly={isRefuseOnly}
        onMode={form.setMode}
        onScope={form.setScope}
        onApprove={form.approve}
        onAnswer={form.answer}
      />
    </div>
  );
}
