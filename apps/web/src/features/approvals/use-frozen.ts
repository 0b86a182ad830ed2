"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

/** Whether an agent is frozen, on its own or with all others. */
export function useFrozen(): (agentId: string) => boolean {
  const frozen = useQuery(useTRPC().gateway.frozen.queryOptions());
  return (agentId) => frozen.data?.some(({ scope }) => scope === "*" || scope === agentId) ?? false;
}
