"use client";

import type { AuditRow } from "@belay/agent-gateway/router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useActorName } from "../actor-name.ts";
import { zoneName } from "../format-time.ts";
import { AuditListRow } from "./audit-list-row.tsx";

const ROW_HEIGHT = 36;
/** How many rows before the end the next page is requested. */
const AHEAD = 30;

/** A virtual list: only visible rows are in the page. */
export function AuditList({
  rows,
  selected,
  onSelect,
  hasMore,
  isLoadingMore,
  onMore,
}: {
  rows: readonly AuditRow[];
  selected: number | null;
  onSelect(seq: number): void;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore(): void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const nameOf = useActorName();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.seq ?? index,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - AHEAD) onMore();
  }, [hasMore, isLoadingMore, last, rows.length, onMore]);
  const at = rows.findIndex(({ seq }) => seq === selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: "auto" });
  }, [at, virtual]);
  if (rows.length === 0)
    return (
      <p className="py-16 text-center text-muted">Nothing on record matches. Remove a filter, or look further back.</p>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-xl border border-line bg-raised">
      <div aria-hidden className="flex gap-3 border-b border-line px-4 py-1.5 text-xs text-muted">
        <span className="w-32 shrink-0 @max-md:w-16">Time ({zoneName()})</span>
        <span className="w-28 shrink-0 @max-lg:hidden">Who</span>
        <span className="flex-1">What</span>
      </div>
      <div
        ref={scroller}
        className="h-[calc(100dvh-19rem)] overflow-y-auto overscroll-contain lg:h-auto lg:min-h-0 lg:flex-1"
      >
        <ul aria-label="Rows, newest first" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <li
                key={item.key}
                aria-setsize={hasMore ? -1 : rows.length}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
              >
                <AuditListRow row={row} who={nameOf(row.actor)} isSelected={row.seq === selected} onSelect={onSelect} />
              </li>
            );
          })}
        </ul>
        {isLoadingMore && <p className="p-3 text-center text-xs text-muted">Loading more …</p>}
      </div>
    </div>
  );
}
