"use client";

import { skipToken, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Refresher } from "./refresher.ts";

/** Keeps every query fresh over one connection: events say that something changed, the query says what. */
export function useLiveUpdates(isSignedIn: boolean): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [refreshers] = useState(() => ({
    terminal: new Refresher(queryClient, trpc.terminals.pathFilter()),
    approval: new Refresher(queryClient, trpc.approvals.pathFilter()),
    agent: new Refresher(queryClient, trpc.agents.pathFilter()),
    freeze: new Refresher(queryClient, trpc.gateway.pathFilter()),
    everything: new Refresher(queryClient, {}),
  }));
  useSubscription(
    trpc.events.all.subscriptionOptions(isSignedIn ? {} : skipToken, {
      // What happened while nobody was connected is not told again.
      onStarted: () => void refreshers.everything.refresh(),
      onData: ({ data }) => void refreshers[data.type === "hostLost" ? "everything" : data.type].refresh(),
    }),
  );
}
