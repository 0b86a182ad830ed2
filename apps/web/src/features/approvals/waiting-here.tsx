"use client";

import type { Approval } from "@belay/protocol";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { Badge } from "@/ui/badge.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { ApprovalAnswer } from "./answer/approval-answer.tsx";
import { useAnswerForm } from "./answer/use-answer-form.ts";
import { useKeyGuard } from "./answer/use-key-guard.ts";
import { Circumstances } from "./card/circumstances.tsx";
import { CommandBox } from "./card/command-box.tsx";
import { levelLabel } from "./card/level-label.ts";
import { NamedFiles } from "./card/named-files.tsx";
import { Part } from "./card/part.tsx";
import { reasonsOf } from "./card/reasons.ts";
import { WhatRuns } from "./card/what-runs.tsx";
import { ReadGate, useReadGate } from "./reading/read-gate.tsx";
import { useFrozen } from "./use-frozen.ts";
import { useMomentToLook } from "./use-moment-to-look.ts";
import { useRefuseOnly } from "./use-refuse-only.ts";

/** A waiting command, answered in its terminal: its output appears right above. */
export function WaitingHere({ approval }: { approval: Approval }) {
  const { me } = useMe();
  const isFrozen = useFrozen()(approval.subject.agentId);
  const isRefuseOnly = useRefuseOnly()(approval.subject.agentId);
  const reading = useReadGate();
  const wasSeen = useMomentToLook(approval.id);
  useKeyGuard();
  // A phone in landscape has room for the terminal or for the answer, not both.
  const [isOpen, setIsOpen] = useState(() => window.innerHeight > 600);
  const canAnswer = approval.approvers.some((role) => role === me?.role);
  const form = useAnswerForm(approval, {
    isSettled: canAnswer && wasSeen,
    canRun: reading.isRead && !isFrozen && !isRefuseOnly,
  });
  const { subject, verdict } = approval;
  const isDangerous = verdict.level === "dangerous";
  return (
    <section
      aria-label="Waiting for approval"
      className={`max-h-[60%] shrink-0 overflow-y-auto border-t-2 bg-raised short:max-h-[90%] [&_kbd]:hidden px-4 py-3 ${isDangerous ? "border-danger" : "border-attention"}`}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={isDangerous ? "danger" : "attention"}>{levelLabel(verdict.level)}</Badge>
        <span className="min-w-40 flex-1 wrap-anywhere">
          {reasonsOf(verdict)[0]?.reason ?? "The agent’s profile asks about everything."}
        </span>
        <Link href={`/approvals?id=${approval.id}`} className="text-accent underline underline-offset-4">
          Details
        </Link>
        <button
          type="button"
          onClick={() => setIsOpen(!isOpen)}
          aria-expanded={isOpen}
          className="cursor-pointer text-muted underline underline-offset-4 pointer-coarse:min-h-11"
        >
          {isOpen ? "Fold" : "Answer"}
        </button>
      </header>
      {isOpen && (
        <ReadGate gate={reading.gate}>
          <WhatRuns subject={subject} />
          <div className="my-3">
            <CommandBox approval={approval} size="pane" />
          </div>
          <Circumstances subject={subject} />
          {subject.files.length > 0 && (
            <Part title="Files that it runs or reads">
              <NamedFiles approval={approval} />
            </Part>
          )}
          <ApprovalAnswer
            approval={approval}
            form={form}
            reading={reading}
            isFrozen={isFrozen}
            canAnswer={canAnswer}
            isRefuseOnly={isRefuseOnly}
          />
        </ReadGate>
      )}
    </section>
  );
}
