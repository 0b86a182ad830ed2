"use client";

import type { ApprovalId } from "@belay/protocol";
import { useCallback, useState } from "react";
import { useQueryState } from "@/features/frame/use-query-state.ts";

export interface QueueAddress {
  /** The question that a link or the browser's back button led to. */
  linked: string | null;
  /** Grows with every such arrival, also if it is the same question again. */
  arrivals: number;
  /** Puts the question that the queue shows into the address. */
  show(id: ApprovalId | null, options?: { isStep?: boolean }): void;
}

/** The shown question in the address. The queue follows the address only if something else changed it. */
export function useQueueAddress(): QueueAddress {
  const { get, set } = useQueryState();
  const current = get("id");
  const [seen, setSeen] = useState(current);
  const [written, setWritten] = useState<string | null | undefined>(undefined);
  const [arrival, setArrival] = useState({ linked: current, arrivals: 0 });
  if (current !== seen) {
    setSeen(current);
    if (current === written) setWritten(undefined);
    else setArrival({ linked: current, arrivals: arrival.arrivals + 1 });
  }
  const show = useCallback<QueueAddress["show"]>(
    (id, { isStep = false } = {}) => {
      if (id === new URL(window.location.href).searchParams.get("id")) return;
      setWritten(id);
      set({ id }, { replaces: !isStep });
    },
    [set],
  );
  return { ...arrival, show };
}
