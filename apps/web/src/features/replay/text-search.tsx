"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC, useTRPCClient } from "@/trpc/client.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { formatClock } from "./format-clock.ts";
import { RecordingName } from "./recording-name.tsx";
import { ReplayLink } from "./replay-link.tsx";

/** Searches all recordings, newest first, and shows results as they come in. */
export function TextSearch({ text }: { text: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const search = useInfiniteQuery({
    queryKey: [...trpc.recordings.pathKey(), "search", text],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => client.recordings.search.query({ text, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Each search is on record, so only a person repeats it, not a connection that comes back.
    staleTime: "static",
    gcTime: 60_000,
  });
  const { hasNextPage, isFetching, error, fetchNextPage } = search;
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const last = search.data?.pages.at(-1);
  // With several gateways, the same recording may be found twice.
  const all = search.data?.pages.flatMap((page) => page.found) ?? [];
  const found = [...new Map(all.map((one) => [one.id, one])).values()];
  if (error) return <Failure message={error.message} retry={() => void search.refetch()} />;
  return (
    <div className="min-h-0 lg:overflow-y-auto">
      <p role="status" className="mb-3 text-sm text-muted">
        {last === undefined
          ? "Searching …"
          : `Found in ${found.length} of ${last.searched.toLocaleString()} recordings${last.nextCursor === null ? "" : `, ${(last.total - last.searched).toLocaleString()} to go …`}`}
      </p>
      <ul aria-label="Found" className="grid gap-3">
        {found.map(({ id, agentId, title, startedAt, matches, hasMore }) => (
          <li key={id} className="rounded-xl border border-line bg-raised">
            <p className="flex flex-wrap gap-x-3 border-b border-line px-4 py-2 text-sm">
              <RecordingName recording={{ id, agentId, title }} />
              <span className="text-muted">{formatMoment(startedAt)}</span>
            </p>
            <ul className="p-1.5">
              {matches.map(({ position, timeMs, line }) => (
                <li key={position}>
                  <ReplayLink
                    id={id}
                    atMs={timeMs}
                    className="flex min-h-9 items-center gap-3 rounded-md px-2.5 hover:bg-sunken pointer-coarse:min-h-11"
                  >
                    <span className="w-14 shrink-0 text-xs text-muted tabular-nums">{formatClock(timeMs)}</span>
                    <code className="min-w-0 flex-1 truncate font-mono text-xs">{visibleText(line)}</code>
                  </ReplayLink>
                </li>
              ))}
            </ul>
            {hasMore && <p className="px-4 pb-2 text-xs text-muted">There is more in this one.</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}
