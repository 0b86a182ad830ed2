"use client";

import type { TerminalId } from "@belay/protocol";
import { useCallback, useState } from "react";

/** Which terminals are in the viewport now. */
export function useInSight(): [ReadonlySet<TerminalId>, (id: TerminalId, isSeen: boolean) => void] {
  const [seen, setSeen] = useState<ReadonlySet<TerminalId>>(() => new Set());
  const onSight = useCallback((id: TerminalId, isSeen: boolean) => {
    setSeen((before) => {
      if (before.has(id) === isSeen) return before;
      const after = new Set(before);
      if (isSeen) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
  return [seen, onSight];
}
