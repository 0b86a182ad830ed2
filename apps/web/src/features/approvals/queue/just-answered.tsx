"use client";

import type { Approval } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTRPC } from "@/trpc/client.ts";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { Outcome } from "../card/outcome.tsx";
import { visibleText } from "../card/visible-text.ts";

/** The result of the last answer, shown beside the next question. */
export function JustAnswered({
  approval,
  nameOf,
  onClose,
}: {
  approval: Approval;
  nameOf(agentId: string): string;
  onClose(): void;
}) {
  // The cached answer is outdated once another person has answered too.
  const current = useQuery(useTRPC().approvals.get.queryOptions({ id: approval.id }, { initialData: approval })).data;
  return (
    <section
      aria-label="Your last answer"
      className="mt-4 flex max-h-[40dvh] shrink-0 items-start gap-2 overflow-y-auto rounded-xl border border-line bg-raised py-2.5 pr-2 pl-4"
    >
      <div className="grid min-w-0 flex-1 gap-1.5 pt-1.5">
        <p className="flex min-w-0 gap-2 text-sm">
          <span className="shrink-0">{nameOf(approval.subject.agentId)}</span>
          <code className="truncate font-mono text-xs leading-6">
            {visibleText(approval.subject.text.split("\n", 1)[0] ?? "")}
          </code>
        </p>
        {current.state.status === "pending" ? (
          <p className="text-sm text-muted">Your yes counts. It still needs another person’s.</p>
        ) : (
          <Outcome approval={current} maxLines={6} />
        )}
      </div>
      <IconButton icon={X} name="Dismiss" onClick={onClose} />
    </section>
  );
}
