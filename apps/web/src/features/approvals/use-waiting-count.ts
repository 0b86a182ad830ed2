"use client";

import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useEffect } from "react";
import { useTRPC } from "@/trpc/client.ts";

/** How many commands wait for a person, also shown in the title of the tab. */
export function useWaitingCount(isSignedIn: boolean): number {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const approvals = useQuery(trpc.approvals.list.queryOptions(isSignedIn ? { state: "pending" } : skipToken));
  useSubscription(
    trpc.events.all.subscriptionOptions(isSignedIn ? undefined : skipToken, {
      onData: ({ data }) => {
        if (data.type === "approval") void queryClient.invalidateQueries(trpc.approvals.list.queryFilter());
      },
    }),
  );
  const count = approvals.data?.length ?? 0;
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Belay` : "Belay";
  }, [count]);
  return count;
}
