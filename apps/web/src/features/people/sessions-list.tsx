"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { leave } from "@/features/frame/person-menu.tsx";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { describeClient } from "./describe-client.ts";

/** A person's sessions, each with a button to end it. */
export function SessionsList({ personId }: { personId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const sessions = useQuery(trpc.people.sessions.queryOptions({ personId }));
  const end = useMutation(
    trpc.people.endSession.mutationOptions({
      onError: ({ message }) => toast(message),
      onSettled: () => queryClient.invalidateQueries(trpc.people.sessions.pathFilter()),
    }),
  );
  if (sessions.error) return <p className="text-sm text-danger">{sessions.error.message}</p>;
  if (!sessions.data) return <p className="text-sm text-muted">Loading sessions …</p>;
  if (sessions.data.length === 0) return <p className="text-sm text-muted">Not signed in anywhere.</p>;
  return (
    <ul aria-label="Sessions" className="grid gap-2">
      {sessions.data.map(({ id, client, address, createdAt, isThisOne }) => (
        <li key={id} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2 text-sm">
          <span className="min-w-0 flex-1">
            <span className="block truncate" title={client ?? undefined}>
              {describeClient(client)} {isThisOne && <Badge tone="accent">this one</Badge>}
            </span>
            <span className="block text-xs text-muted">
              {address ?? "unknown address"} · since {formatMoment(createdAt)}
            </span>
          </span>
          <Button
            look="danger-quiet"
            size="small"
            disabled={end.isPending}
            onClick={() => (isThisOne ? leave() : end.mutate({ id }))}
          >
            Sign out
          </Button>
        </li>
      ))}
    </ul>
  );
}
