"use client";

import type { GatewayEvent } from "@belay/agent-gateway/router";
import { useCallback, useEffect, useRef, useState } from "react";

/** What the tab with the connection tells the others. */
export type TabMessage =
  | { type: "started" }
  | { type: "event"; event: GatewayEvent }
  | { type: "status"; isUp: boolean }
  /** A new tab asks for the status. */
  | { type: "asked" };

const NAME = "belay-live-updates";

/**
 * All tabs of a browser share one connection for events. A browser allows six to a server over HTTP/1.1, so with
 * one for each, the seventh tab would not even load.
 *
 * The tab that holds the lock has the connection; if it is closed, the browser gives the lock to another. Where there
 * are no locks (plain HTTP to another machine), each tab has a connection.
 */
export function useTabs(
  isSignedIn: boolean,
  onMessage: (message: TabMessage) => void,
): {
  isLeader: boolean;
  tell: (message: TabMessage) => void;
} {
  const [isLeader, setIsLeader] = useState(false);
  const latest = useRef(onMessage);
  latest.current = onMessage;
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    if (!isSignedIn) return;
    if (!("locks" in navigator)) {
      setIsLeader(true);
      return;
    }
    const opened = new BroadcastChannel(NAME);
    opened.onmessage = ({ data }: MessageEvent<TabMessage>) => latest.current(data);
    opened.postMessage({ type: "asked" } satisfies TabMessage);
    channel.current = opened;
    const leaving = new AbortController();
    const lead = () =>
      new Promise<void>((resolve) => {
        setIsLeader(true);
        leaving.signal.addEventListener("abort", () => resolve());
      });
    // It is only rejected when this tab leaves before it leads.
    navigator.locks.request(NAME, { signal: leaving.signal }, lead).catch(() => {});
    return () => {
      leaving.abort();
      opened.close();
      channel.current = null;
      setIsLeader(false);
    };
  }, [isSignedIn]);
  const tell = useCallback((message: TabMessage) => channel.current?.postMessage(message), []);
  return { isLeader, tell };
}
