"use client";

import type { Approval } from "@belay/protocol";
import { Button } from "@/ui/controls/button.tsx";
import { KeyHint } from "@/ui/controls/kbd.tsx";
import { useApplicablePreview } from "../preview/use-applicable-preview.ts";
import { AlwaysRule } from "./always-rule.tsx";
import type { Answer, AnswerMode } from "./answer.ts";
import { ConfirmDangerous } from "./confirm-dangerous.tsx";
import { EditForm } from "./edit-form.tsx";
import { RefuseForm } from "./refuse-form.tsx";
import { approveVerb, canEdit, ScopePicker, type ScopeType, scopeOf } from "./scope-picker.tsx";
import { dangerWords } from "./undo-words.ts";

interface Props {
  approval: Approval;
  mode: AnswerMode;
  scope: ScopeType;
  /** False while an answer is being sent, or right after the question appeared. */
  isReady: boolean;
  /** Whether approving is possible, too. */
  canApprove: boolean;
  /** Only a refusal is offered. */
  isRefuseOnly: boolean;
  onMode(mode: AnswerMode): void;
  onScope(scope: ScopeType): void;
  onApprove(): void;
  onAnswer(answer: Answer): void;
}

/** The answer buttons, always visible and within reach of the thumb. */
export function AnswerBar(props: Props) {
  const { approval, mode, scope, isReady, canApprove, onMode, onAnswer } = props;
  const back = () => onMode("reading");
  switch (mode) {
    case "editing":
      return (
        <EditForm
          approval={approval}
          isBusy={!canApprove}
          onRun={(command) => onAnswer({ decision: "approve", scope: { type: "once" }, command })}
          onCancel={back}
        />
      );
    case "refusing":
      return (
        <RefuseForm
          isBusy={!isReady}
          onRefuse={(message) => onAnswer({ decision: "deny", ...(message ? { message } : {}) })}
          onCancel={back}
        />
      );
    case "confirming":
      return (
        <ConfirmDangerous
          words={dangerWords(approval.subject)}
          isReady={canApprove}
          onYes={() => onAnswer({ decision: "approve", scope: scopeOf(scope) })}
          onBack={back}
        />
      );
    case "reading":
      return <Ways {...props} />;
  }
}

function Ways({ approval, scope, isReady, canApprove, isRefuseOnly, onMode, onScope, onApprove, onAnswer }: Props) {
  const preview = useApplicablePreview(approval);
  const refuse = (
    <Button look="danger-quiet" disabled={!isReady} onClick={() => onMode("refusing")}>
      Refuse <KeyHint>d</KeyHint>
    </Button>
  );
  if (isRefuseOnly) return <div className="flex max-sm:[&>button]:flex-1">{refuse}</div>;
  return (
    <div className="grid gap-3">
      <ScopePicker approval={approval} value={scope} onChange={onScope} />
      {scope === "always" && (
        <AlwaysRule id={approval.id} runsFiles={approval.subject.files.some(({ isCode }) => isCode)} />
      )}
      <div className="flex flex-wrap gap-2 max-sm:[&>button]:flex-1">
        {preview !== null && (
          <Button
            disabled={!canApprove}
            onClick={() => onAnswer({ decision: "approve", scope: { type: "once" }, preview })}
          >
            Apply what is shown
          </Button>
        )}
        <Button look={preview === null ? "primary" : "quiet"} disabled={!canApprove} onClick={onApprove}>
          {preview === null || scope !== "once" ? approveVerb(scope, approval) : "Run it for real"} <KeyHint>a</KeyHint>
        </Button>
        {canEdit(approval) && (
          <Button look="quiet" onClick={() => onMode("editing")}>
            Edit <KeyHint>e</KeyHint>
          </Button>
        )}
        {refuse}
      </div>
    </div>
  );
}
