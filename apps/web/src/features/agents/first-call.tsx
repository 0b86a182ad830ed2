"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { useTRPC } from "@/trpc/client.ts";

/** Says when an agent uses its token for the first time. The frame keeps the list fresh. */
export function FirstCall({ agentId }: { agentId: string }) {
  const agents = useQuery(useTRPC().agents.list.queryOptions());
  const isConnected = agents.data?.find(({ id }) => id === agentId)?.seenAt != null;
  return (
    <p
      role="status"
      className={`mt-4 flex items-center gap-2.5 rounded-lg px-3 py-2.5 text-sm ${isConnected ? "bg-accent-soft text-accent" : "bg-sunken text-muted"}`}
    >
      {isConnected ? (
        <CircleCheck aria-hidden className="size-4 shrink-0" />
      ) : (
        <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />
      )}
      {isConnected ? "Connected." : "Waiting for its first call …"}
    </p>
  );
}
