"use client";

import type { AuditRow, AuditSearch } from "@belay/agent-gateway/router";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTRPC, useTRPCClient } from "@/trpc/client.ts";
import { tailCursor } from "./tail-cursor.ts";

const ROWS_PER_PAGE = 100;
/** How often the live tail polls. */
const TAIL_MS = 1_000;
/** The most rows that a tail keeps. */
const MOST_TAILED = 2_000;

/** The rows of a query, newest first, page by page; with a live tail, new rows are added on top. */
export function useAuditRows(filter: AuditSearch, { isReady, isTailing }: { isReady: boolean; isTailing: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const pages = useInfiniteQuery({
    // A query key below the router's path, so that the refresh after an outage includes it.
    queryKey: [...trpc.audit.pathKey(), "pages", filter],
    enabled: isReady,
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      client.audit.search.query({ ...filter, cursor: pageParam, limit: ROWS_PER_PAGE }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Rows of the record never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const read = useMemo(() => pages.data?.pages.flatMap(({ events }) => events) ?? null, [pages.data]);
  const tailed = useTail(filter, read ?? [], isTailing && pages.isSuccess);
  const rows = useMemo(() => {
    const known = new Set(read?.map(({ seq }) => seq));
    return read && [...tailed.filter(({ seq }) => !known.has(seq)), ...read];
  }, [read, tailed]);
  return { ...pages, rows };
}

function useTail(filter: AuditSearch, read: AuditRow[], isOn: boolean): AuditRow[] {
  const client = useTRPCClient();
  const [tailed, setTailed] = useState<AuditRow[]>([]);
  const key = JSON.stringify(filter);
  useEffect(() => setTailed([]), [key]);
  useQuery({
    queryKey: ["audit-tail", key, read[0]?.seq ?? null],
    enabled: isOn,
    refetchInterval: TAIL_MS,
    queryFn: async ({ signal }) => {
      // Rows newer than the start of a relative range belong to it as well.
      const { events } = await client.audit.search.query(
        { ...filter, cursor: tailCursor([...tailed, ...read]), order: "oldest", limit: 500 },
        { signal },
      );
      const known = new Set([...tailed, ...read].map(({ seq }) => seq));
      const added = events.filter(({ seq }) => !known.has(seq)).toReversed();
      if (added.length > 0) setTailed((before) => [...added, ...before].slice(0, MOST_TAILED));
      return added.length;
    },
  });
  return tailed;
}
