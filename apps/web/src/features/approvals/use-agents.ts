"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

/** Names and profiles of agents. */
export function useAgents({ isSignedIn = true } = {}) {
  const agents = useQuery(useTRPC().agents.list.queryOptions(isSignedIn ? undefined : skipToken));
  const find = (id: string | null) => agents.data?.find((agent) => agent.id === id);
  return {
    nameOf: (id: string) => find(id)?.name ?? id,
    profileOf: (id: string) => find(id)?.profile,
  };
}
