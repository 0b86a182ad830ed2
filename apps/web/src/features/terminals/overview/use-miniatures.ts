"use client";

import type { TerminalId } from "@belay/protocol";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

const EVERY_MS = 1_500;
/** As many as the gateway draws in one response. */
const MOST = 100;

/** The last lines of each of these, polled while the page is visible. */
export function useMiniatures(terminals: ReadonlySet<TerminalId>): ReadonlyMap<TerminalId, string[]> {
  // Sorted, so that a different order on the page does not cause another query.
  const ids = [...terminals].sort().slice(0, MOST);
  const miniatures = useQuery(
    useTRPC().terminals.miniatures.queryOptions(ids.length > 0 ? { ids } : skipToken, {
      refetchInterval: EVERY_MS,
      placeholderData: keepPreviousData,
    }),
  );
  return new Map(miniatures.data?.map(({ id, lines }) => [id, lines]));
}
