"use client";

import type { GatewayEvent } from "@belay/agent-gateway/router";
import { skipToken, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { firstScreen } from "@/ui/later/first-screen.ts";
import { publishLiveEvent } from "./live-events.ts";
import { Refresher } from "./refresher.ts";
import { useTabs } from "./use-tabs.ts";

/** Shorter interruptions of the connection are not shown. */
const GRACE_MS = 1_500;

/**
 * Keeps every query fresh over one connection of all tabs: events say that something changed, the query says what.
 * Returns whether the connection is up.
 */
export function useLiveUpdates(isSignedIn: boolean): { isConnected: boolean } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [refreshers] = useState(() => {
    const refresh = (filter: ConstructorParameters<typeof Refresher>[1]) => new Refresher(queryClient, filter);
    return {
      terminals: refresh(trpc.terminals.list.queryFilter()),
      commands: refresh(trpc.terminals.commands.pathFilter()),
      watchers: refresh(trpc.terminals.watchers.pathFilter()),
      changes: refresh(trpc.changes.pathFilter()),
      approvals: refresh(trpc.approvals.pathFilter()),
      refuseOnly: refresh(trpc.approvals.refuseOnly.queryFilter()),
      agents: refresh(trpc.agents.pathFilter()),
      machines: refresh(trpc.machines.pathFilter()),
      gateway: refresh(trpc.gateway.pathFilter()),
      policy: refresh(trpc.policy.pathFilter()),
      people: refresh(trpc.people.pathFilter()),
      webhooks: refresh(trpc.webhooks.pathFilter()),
      everything: refresh({}),
    };
  });
  const changedBy = {
    terminal: [refreshers.terminals, refreshers.commands],
    machine: [refreshers.machines, refreshers.terminals],
    approval: [refreshers.approvals, refreshers.commands],
    changes: [refreshers.changes, refreshers.commands, refreshers.approvals],
    presence: [refreshers.watchers],
    agent: [refreshers.agents, refreshers.refuseOnly],
    freeze: [refreshers.gateway, refreshers.approvals],
    policy: [refreshers.policy, refreshers.refuseOnly, refreshers.webhooks],
    settings: [refreshers.webhooks],
    person: [refreshers.people],
    hostLost: [refreshers.everything],
    // What they hold comes and goes with them.
    gateways: [refreshers.gateway, refreshers.terminals, refreshers.approvals],
  } as const;
  // Events from before the connection are not repeated, so everything is refreshed once it is up. A page that has just
  // been opened has fetched it a moment ago, and shows that first.
  const onStarted = () => {
    const refresh = () => void refreshers.everything.refresh();
    if (firstScreen.isOver) refresh();
    else firstScreen.after(refresh);
  };
  const onEvent = (event: GatewayEvent) => {
    for (const refresher of changedBy[event.type]) void refresher.refresh();
    publishLiveEvent(event);
  };
  const [isLeaderUp, setIsLeaderUp] = useState(true);
  const { isLeader, tell } = useTabs(isSignedIn, (message) => {
    if (message.type === "started") onStarted();
    else if (message.type === "event") onEvent(message.event);
    else if (message.type === "status") setIsLeaderUp(message.isUp);
    else if (isLeader) tell({ type: "status", isUp: isOwnUp });
  });
  const { status } = useSubscription(
    trpc.events.all.subscriptionOptions(isSignedIn && isLeader ? {} : skipToken, {
      onStarted: () => {
        onStarted();
        tell({ type: "started" });
      },
      onData: ({ data }) => {
        onEvent(data);
        tell({ type: "event", event: data });
      },
    }),
  );
  const isOwnUp = status === "pending";
  useEffect(() => {
    if (isLeader && isSignedIn) tell({ type: "status", isUp: isOwnUp });
  }, [isLeader, isSignedIn, isOwnUp, tell]);
  const isUp = !isSignedIn || (isLeader ? isOwnUp : isLeaderUp);
  const [isConnected, setIsConnected] = useState(true);
  useEffect(() => {
    if (isUp) return setIsConnected(true);
    const timer = setTimeout(() => setIsConnected(false), GRACE_MS);
    return () => clearTimeout(timer);
  }, [isUp]);
  return { isConnected };
}
