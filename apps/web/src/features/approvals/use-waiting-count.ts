"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "@/trpc/client.ts";

/** How many commands wait for a person, also shown in the title of the tab. */
export function useWaitingCount(isSignedIn: boolean): number {
  const approvals = useQuery(useTRPC().approvals.list.queryOptions(isSignedIn ? { state: "pending" } : skipToken));
  const count = approvals.data?.length ?? 0;
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Belay` : "Belay";
  }, [count]);
  return count;
}
