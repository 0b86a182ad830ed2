"use client";

import type { AgentId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { AwayLines } from "@/features/terminals/pane/while-away.tsx";
import { useTRPC } from "@/trpc/client.ts";

/** An agent's activity since midnight, in the person's time zone. */
export function AgentToday({ agentId }: { agentId: AgentId }) {
  const since = new Date().setHours(0, 0, 0, 0);
  const activity = useQuery(useTRPC().agents.activity.queryOptions({ id: agentId, since }));
  if (activity.error) return <p className="text-sm text-danger">{activity.error.message}</p>;
  if (!activity.data) return <p className="text-sm text-muted">Loading what it did …</p>;
  const { ran, failed, denied, refused, lines } = activity.data;
  const counts = [
    ["ran", ran],
    ["failed", failed],
    ["forbidden", denied],
    ["refused", refused],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-4 gap-2">
        {counts.map(([name, count]) => (
          <div key={name} className="rounded-lg bg-sunken px-3 py-2">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="text-base font-semibold tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      {lines.length > 0 && <AwayLines lines={lines} className="mt-2 -mx-2" />}
    </>
  );
}
