"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { toast } from "@/ui/states/toast.tsx";

/** Invitations that have not been used yet. */
export function OpenInvitations() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const invitations = useQuery(trpc.people.invitations.queryOptions());
  const withdraw = useMutation(
    trpc.people.withdrawInvitation.mutationOptions({
      onError: ({ message }) => toast(message),
      onSettled: () => queryClient.invalidateQueries(trpc.people.invitations.queryFilter()),
    }),
  );
  if (!invitations.data || invitations.data.length === 0) return null;
  return (
    <section className="mt-6" aria-labelledby="invitations">
      <h2 id="invitations" className="mb-2 text-sm font-medium">
        Invited
      </h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {invitations.data.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
            <span className="min-w-0 flex-1 truncate">{email ?? "Anyone with the link"}</span>
            <span className="text-xs text-muted">until {formatMoment(expiresAt)}</span>
            <Badge>{role}</Badge>
            <Button
              look="danger-quiet"
              size="small"
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate({ id })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
