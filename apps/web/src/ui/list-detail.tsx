"use client";

import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/**
 * The layout of all list pages: header, filters, the list, and beside it the details of the selected item, each
 * scrolling on its own. On a phone the list and the details take turns.
 */
export function ListDetail({
  title,
  note,
  actions,
  filters,
  list,
  detail,
  detailName,
  onBack,
}: {
  title: string;
  /** A few words beside the title, such as a count. */
  note?: ReactNode;
  actions?: ReactNode;
  filters?: ReactNode;
  list: ReactNode;
  /** Null: nothing is selected, and the list uses the whole page. */
  detail: ReactNode | null;
  /** The details pane's name for screen readers. */
  detailName: string;
  onBack(): void;
}) {
  const hasDetail = detail !== null;
  return (
    <main className="flex w-full flex-1 flex-col p-4 sm:p-6 lg:min-h-0">
      <div className={hasDetail ? "max-lg:hidden" : ""}>
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {note && <div className="min-w-0 text-sm text-muted">{note}</div>}
          <span className="flex-1" />
          {actions}
        </header>
        {filters && <div className="mt-3 flex flex-wrap items-center gap-2">{filters}</div>}
      </div>
      <div
        className={`flex-1 lg:mt-4 lg:grid lg:min-h-0 lg:grid-rows-[minmax(0,1fr)] lg:gap-5 ${hasDetail ? "lg:grid-cols-[minmax(0,1fr)_minmax(24rem,40%)]" : "mt-4"}`}
      >
        <div className={`@container flex min-w-0 flex-col lg:min-h-0 ${hasDetail ? "max-lg:hidden" : ""}`}>{list}</div>
        {hasDetail && (
          <section aria-label={detailName} className="min-w-0 lg:min-h-0">
            <Button look="plain" size="small" className="mb-2 -ml-2 lg:hidden" onClick={onBack}>
              <ChevronLeft aria-hidden className="size-4" /> {title}
            </Button>
            <div className="rounded-xl border border-line bg-raised lg:max-h-full lg:overflow-y-auto">{detail}</div>
          </section>
        )}
      </div>
    </main>
  );
}
