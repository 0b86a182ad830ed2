"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { useTRPC } from "@/trpc/client.ts";
import { type AuditQuery, filterOf, QUERY_KEYS } from "./audit-query.ts";

/** The query in the address, and the request for it. `renew` moves a relative range up to now. */
export function useAuditQuery() {
  const { get, set } = useQueryState();
  const kinds = useQuery(useTRPC().audit.kinds.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const [now, setNow] = useState(Date.now);
  const entries = QUERY_KEYS.flatMap((key) => {
    const value = get(key);
    return value === null ? [] : [[key, value] as const];
  });
  const key = JSON.stringify(entries);
  const query: AuditQuery = useMemo(() => Object.fromEntries(entries), [key]);
  const filter = useMemo(() => filterOf(query, kinds.data ?? [], now), [query, kinds.data, now]);
  return {
    query,
    filter,
    kinds: kinds.data ?? null,
    problem: kinds.error,
    change: (changes: Partial<Record<keyof AuditQuery, string | null>>) => {
      setNow(Date.now());
      set(changes, { replaces: true });
    },
    renew: () => setNow(Date.now()),
  };
}
