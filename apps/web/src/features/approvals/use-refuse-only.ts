"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

/** Whether the policy lets this person only refuse the commands of an agent, because it acts for them. */
export function useRefuseOnly(): (agentId: string) => boolean {
  const agentIds = useQuery(useTRPC().approvals.refuseOnly.queryOptions());
  return (agentId) => agentIds.data?.some((id) => id === agentId) ?? false;
}
