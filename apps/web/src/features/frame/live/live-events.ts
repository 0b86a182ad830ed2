"use client";

import type { GatewayEvent } from "@belay/agent-gateway/router";
import { useEffect, useRef } from "react";

const listeners = new Set<(event: GatewayEvent) => void>();

/** Called by the one connection that receives the events. */
export function publishLiveEvent(event: GatewayEvent): void {
  for (const listener of listeners) listener(event);
}

/** Subscribes to events, for components that need more than fresh queries. */
export function useLiveEvent(onEvent: (event: GatewayEvent) => void): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    const listener = (event: GatewayEvent) => latest.current(event);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}
