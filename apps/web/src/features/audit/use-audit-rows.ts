"use client";

import type { AuditRow, AuditSearch } from "@belay/agent-gateway/router";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTRPC, useTRPCClient } from "@/trpc/client.ts";

const ROWS_PER_PAGE = 100;
/** How often the tail asks for what is new. */
const TAIL_MS = 1_000;
/** A tail that ran all night keeps this much. */
const MOST_TAILED = 2_000;

/** The rows of a query, newest first, page by page; with a tail, what comes stands on top of them. */
export function useAuditRows(filter: AuditSearch, { isReady, isTailing }: { isReady: boolean; isTailing: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const pages = useInfiniteQuery({
    // Below the path of the router, so that what refreshes everything after an outage refreshes this as well.
    queryKey: [...trpc.audit.pathKey(), "pages", filter],
    enabled: isReady,
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      client.audit.search.query({ ...filter, cursor: pageParam, limit: ROWS_PER_PAGE }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // What was read of the record does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const read = useMemo(() => pages.data?.pages.flatMap(({ events }) => events) ?? null, [pages.data]);
  const tailed = useTail(filter, read?.[0]?.seq ?? null, isTailing && pages.isSuccess);
  const rows = useMemo(() => {
    const newest = read?.[0]?.seq ?? 0;
    return read && [...tailed.filter(({ seq }) => seq > newest), ...read];
  }, [read, tailed]);
  return { ...pages, rows };
}

function useTail(filter: AuditSearch, after: number | null, isOn: boolean): AuditRow[] {
  const client = useTRPCClient();
  const [tailed, setTailed] = useState<AuditRow[]>([]);
  const key = JSON.stringify(filter);
  useEffect(() => setTailed([]), [key]);
  useQuery({
    queryKey: ["audit-tail", key, after],
    enabled: isOn,
    refetchInterval: TAIL_MS,
    queryFn: async ({ signal }) => {
      const cursor = tailed[0]?.seq ?? after ?? 0;
      // What is newer than a relative range began is in it as well.
      const { events } = await client.audit.search.query(
        { ...filter, cursor, order: "oldest", limit: 500 },
        { signal },
      );
      if (events.length > 0) setTailed((before) => [...events.toReversed(), ...before].slice(0, MOST_TAILED));
      return events.length;
    },
  });
  return tailed;
}
