"use client";

import type { ApprovalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { levelLabel } from "../card/level-label.ts";
import { Outcome } from "../card/outcome.tsx";
import { CommandText } from "../reading/command-text.tsx";

/** A question that was answered or withdrawn, without buttons. */
export function SettledApproval({ id, nameOf }: { id: ApprovalId; nameOf(agentId: string): string }) {
  const approval = useQuery(useTRPC().approvals.get.queryOptions({ id }));
  if (approval.error) return <Failure message={approval.error.message} />;
  if (!approval.data) return <Loading what="the approval" />;
  const { subject, verdict, state } = approval.data;
  const text = state.status === "approved" && state.editedText !== null ? state.editedText : subject.text;
  return (
    <section
      aria-label={`${nameOf(subject.agentId)} asked`}
      className="min-w-0 rounded-xl border border-line bg-raised p-4 sm:p-5"
    >
      <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-base font-semibold tracking-tight">{nameOf(subject.agentId)}</h2>
        <Badge>{levelLabel(verdict.level)}</Badge>
        <Badge>settled</Badge>
      </header>
      <div className="mb-3 max-h-[40dvh] overflow-y-auto rounded-lg border border-line bg-sunken p-4">
        <CommandText text={text} spans={[]} className="text-sm leading-6" />
      </div>
      <Outcome approval={approval.data} />
    </section>
  );
}
