"use client";

import type { Approval } from "@belay/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Failure } from "@/ui/failure.tsx";
import { Loading } from "@/ui/loading.tsx";
import { ApprovalCard } from "./approval-card.tsx";

/** Everything that waits for a person, oldest first. The frame around the page keeps the list fresh. */
export function ApprovalQueue() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.approvals.list.queryFilter());
  const approvals = useQuery(trpc.approvals.list.queryOptions({ state: "pending" }));
  const agents = useQuery(trpc.agents.list.queryOptions());
  const me = useQuery(trpc.gateway.me.queryOptions());
  const answer = useMutation(trpc.approvals.decide.mutationOptions({ onSettled: () => refresh() }));
  if (approvals.error) return <Failure message={approvals.error.message} retry={() => void approvals.refetch()} />;
  if (!approvals.data) return <Loading what="approvals" />;
  const nameOf = (approval: Approval) =>
    agents.data?.find(({ id }) => id === approval.subject.agentId)?.name ?? approval.subject.agentId;
  return (
    <main className="mx-auto w-full max-w-3xl p-4 sm:p-6">
      <h1 className="text-xl font-semibold tracking-tight">Approvals</h1>
      {answer.error && (
        <p role="alert" className="mt-4 text-sm text-danger">
          {answer.error.message}
        </p>
      )}
      {approvals.data.length === 0 ? (
        <p className="mt-2 text-sm text-muted">
          Nothing is waiting for you. What needs a person appears here by itself.
        </p>
      ) : (
        <ul aria-label="Waiting for you" className="mt-4 grid gap-4">
          {approvals.data.map((approval) => (
            <ApprovalCard
              key={approval.id}
              approval={approval}
              agentName={nameOf(approval)}
              canAnswer={me.data?.role === "operator" || me.data?.role === "admin"}
              isAnswering={answer.isPending && answer.variables.id === approval.id}
              onAnswer={(decision) => answer.mutate({ id: approval.id, ...decision })}
            />
          ))}
        </ul>
      )}
    </main>
  );
}
