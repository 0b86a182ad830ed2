"use client";

import type { Approval } from "@belay/protocol";
import { type ReactNode, useEffect, useRef } from "react";
import { ApprovalDetail } from "../card/approval-detail.tsx";

/** The question that is being answered, with `children` to answer it at its foot. */
export function SelectedApproval({
  approval,
  agentName,
  isFrozen,
  canAnswer,
  children,
}: {
  approval: Approval;
  agentName: string;
  isFrozen: boolean;
  canAnswer: boolean;
  children: ReactNode;
}) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    // The focused button disappears with the answered question, so move the focus here for screen readers.
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true });
    // Show the new question from its beginning, even if the list or the previous one was scrolled.
    if (region.current && region.current.getBoundingClientRect().top < 0) region.current.scrollIntoView();
  }, []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={`${agentName} asks`}
      className="min-w-0 scroll-mt-28 rounded-xl border border-line bg-raised outline-none lg:scroll-mt-1"
    >
      <div className="p-4 sm:p-5">
        <ApprovalDetail approval={approval} agentName={agentName} isFrozen={isFrozen} canAnswer={canAnswer} />
      </div>
      {/* In a short window it would cover the command. */}
      <div className="sticky bottom-14 rounded-b-xl border-t border-line bg-raised p-4 sm:px-5 lg:bottom-0 short:static">
        {children}
      </div>
    </section>
  );
}
