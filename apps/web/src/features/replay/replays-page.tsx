"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useShortcuts } from "@/features/frame/keys/use-shortcuts.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { formatBytes, formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { formatClock } from "./format-clock.ts";
import { RecordingName } from "./recording-name.tsx";
import { ReplayLink } from "./replay-link.tsx";
import { TextSearch } from "./text-search.tsx";

const PER_PAGE = 100;

/** Every recording, newest first, and a search through their output. */
export function ReplaysPage() {
  const { get, set } = useQueryState();
  const text = get("text") ?? "";
  const [typed, setTyped] = useState(text);
  const [pages, setPages] = useState(1);
  const field = useRef<HTMLInputElement>(null);
  const list = useQuery(useTRPC().recordings.page.queryOptions({ limit: Math.min(200, PER_PAGE * pages) }));
  useEffect(() => setTyped(text), [text]);
  useShortcuts({ "/": () => field.current?.focus() });
  if (list.error && !list.data) return <Failure message={list.error.message} retry={() => void list.refetch()} />;
  if (!list.data) return <Loading what="recordings" />;
  const { recordings, total, bytes } = list.data;
  return (
    <ListDetail
      title="Replays"
      note={`${total.toLocaleString()} ${total === 1 ? "recording" : "recordings"}, ${formatBytes(bytes)}`}
      filters={
        <form
          className="flex w-full gap-2 sm:w-auto"
          onSubmit={(event) => {
            event.preventDefault();
            set({ text: typed.trim() });
          }}
        >
          <label className="relative flex-1">
            <span className="sr-only">Search what was printed</span>
            <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
            <input
              ref={field}
              type="search"
              minLength={2}
              placeholder="Search what was printed  /"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
              className="h-9 w-full rounded-md border border-edge bg-raised pr-2 pl-8 text-base pointer-coarse:h-11 sm:w-80 sm:text-sm"
            />
          </label>
          <Button type="submit" look="quiet" className="h-9">
            Search
          </Button>
        </form>
      }
      list={
        text.length >= 2 ? (
          <TextSearch key={text} text={text} />
        ) : recordings.length === 0 ? (
          <p className="py-16 text-center text-muted">
            Nothing is recorded yet. Every terminal is recorded from its first byte on.
          </p>
        ) : (
          <div className="min-h-0 lg:overflow-y-auto">
            <ul aria-label="Recordings" className="divide-y divide-line rounded-xl border border-line bg-raised">
              {recordings.map((recording) => (
                <li key={recording.id}>
                  <ReplayLink
                    id={recording.id}
                    atMs={0}
                    className="flex min-h-12 items-center gap-3 px-4 py-2 text-sm hover:bg-sunken"
                  >
                    <RecordingName recording={recording} />
                    {recording.isLive && <Badge tone="accent">live</Badge>}
                    <span className="w-16 text-right text-xs text-muted tabular-nums">
                      {formatClock(recording.durationMs)}
                    </span>
                    <span className="w-20 text-right text-xs text-muted tabular-nums @max-lg:hidden">
                      {formatBytes(recording.bytes)}
                    </span>
                    <span className="w-44 text-right text-xs text-muted @max-xl:hidden">
                      {formatMoment(recording.startedAt)}
                    </span>
                  </ReplayLink>
                </li>
              ))}
            </ul>
            {recordings.length < total && (
              <p className="py-3 text-center text-sm text-muted">
                {PER_PAGE * pages < 200 ? (
                  <Button look="quiet" size="small" onClick={() => setPages((before) => before + 1)}>
                    Show more
                  </Button>
                ) : (
                  "The newest 200. Use the search or the audit to find older ones."
                )}
              </p>
            )}
          </div>
        )
      }
      detail={null}
      detailName=""
      onBack={() => {}}
    />
  );
}
