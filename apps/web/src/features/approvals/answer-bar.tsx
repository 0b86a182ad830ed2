"use client";

import type { Approval } from "@belay/protocol";
import { TriangleAlert } from "lucide-react";
import { Button } from "@/ui/button.tsx";
import { KeyHint } from "@/ui/kbd.tsx";
import { AlwaysRule } from "./always-rule.tsx";
import type { Answer, AnswerMode } from "./answer.ts";
import { EditForm } from "./edit-form.tsx";
import { RefuseForm } from "./refuse-form.tsx";
import { approveVerb, canEdit, ScopePicker, type ScopeType, scopeOf } from "./scope-picker.tsx";

interface Props {
  approval: Approval;
  profile: string | undefined;
  mode: AnswerMode;
  scope: ScopeType;
  /** False while an answer is on its way, or the question has only just come up. */
  isReady: boolean;
  onMode(mode: AnswerMode): void;
  onScope(scope: ScopeType): void;
  onApprove(): void;
  onAnswer(answer: Answer): void;
}

/** The ways out, always in sight and under the thumb. */
export function AnswerBar(props: Props) {
  const { approval, mode, isReady, onMode, onAnswer } = props;
  const stopReading = () => onMode("reading");
  switch (mode) {
    case "editing":
      return (
        <EditForm
          approval={approval}
          profile={props.profile}
          isBusy={!isReady}
          onRun={(command) => onAnswer({ decision: "approve", scope: { type: "once" }, command })}
          onCancel={stopReading}
        />
      );
    case "refusing":
      return (
        <RefuseForm
          isBusy={!isReady}
          onRefuse={(message) => onAnswer({ decision: "deny", ...(message ? { message } : {}) })}
          onCancel={stopReading}
        />
      );
    case "confirming":
      return <Really {...props} />;
    case "reading":
      return <Ways {...props} />;
  }
}

function Ways({ approval, scope, isReady, onMode, onScope, onApprove }: Props) {
  return (
    <div className="grid gap-3">
      <ScopePicker approval={approval} value={scope} onChange={onScope} />
      {scope === "always" && (
        <AlwaysRule id={approval.id} runsFiles={approval.subject.files.some(({ isCode }) => isCode)} />
      )}
      <div className="flex flex-wrap gap-2 max-sm:[&>button]:flex-1">
        <Button disabled={!isReady} onClick={onApprove}>
          {approveVerb(scope)} <KeyHint>a</KeyHint>
        </Button>
        {canEdit(approval) && (
          <Button look="quiet" onClick={() => onMode("editing")}>
            Edit <KeyHint>e</KeyHint>
          </Button>
        )}
        <Button look="danger-quiet" onClick={() => onMode("refusing")}>
          Refuse <KeyHint>d</KeyHint>
        </Button>
      </div>
    </div>
  );
}

/** There is no undo, so what is dangerous takes a second key, and another one than the first. */
function Really({ scope, isReady, onMode, onAnswer }: Props) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft p-3">
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-danger" />
      <p className="min-w-48 flex-1 text-sm">This is dangerous and cannot be undone. Run it?</p>
      <div className="flex gap-2">
        <Button look="quiet" onClick={() => onMode("reading")}>
          Leave it <KeyHint>esc</KeyHint>
        </Button>
        <Button
          look="danger"
          disabled={!isReady}
          onClick={() => onAnswer({ decision: "approve", scope: scopeOf(scope) })}
        >
          Yes, run it <KeyHint>y</KeyHint>
        </Button>
      </div>
    </div>
  );
}
