"use client";

import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../controls/button.tsx";

const COLUMNS = {
  list: "lg:grid-cols-[minmax(0,1fr)_minmax(24rem,40%)]",
  detail: "lg:grid-cols-[18rem_minmax(0,90rem)]",
};

/**
 * The layout of all list pages: header, filters, the list, and beside it the details of the selected item, each
 * scrolling on its own. On a phone the list and the details take turns.
 */
export function ListDetail({
  title,
  note,
  actions,
  filters,
  notice,
  list,
  detail,
  detailName,
  focus = "list",
  turn = detail === null ? "list" : "detail",
  back = title,
  backBeside,
  onBack,
}: {
  title: string;
  /** A few words beside the title, such as a count. */
  note?: ReactNode;
  actions?: ReactNode;
  filters?: ReactNode;
  /** Stays visible above both parts. */
  notice?: ReactNode;
  list: ReactNode;
  /** Null: nothing is selected, and the list uses the whole page. */
  detail: ReactNode | null;
  /** The details pane's name for screen readers. */
  detailName: string;
  /** Which part gets the room. If it is the details, they consist of cards of their own. */
  focus?: "list" | "detail";
  /** What a phone shows now. */
  turn?: "list" | "detail";
  /** The words of the phone's way back to the list. Null if the list has nothing else. */
  back?: string | null;
  backBeside?: ReactNode;
  onBack(): void;
}) {
  const hasDetail = detail !== null;
  const hidesList = hasDetail && turn === "detail";
  return (
    <main className="flex w-full flex-1 flex-col p-4 sm:p-6 lg:min-h-0">
      <div className={hidesList && back !== null ? "max-lg:hidden" : ""}>
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {note && <div className="min-w-0 text-sm text-muted">{note}</div>}
          <span className="flex-1" />
          {actions}
        </header>
        {filters && <div className="mt-3 flex flex-wrap items-center gap-2">{filters}</div>}
      </div>
      {notice}
      <div
        className={`flex-1 lg:mt-4 lg:grid lg:min-h-0 lg:grid-rows-[minmax(0,1fr)] lg:gap-5 ${hasDetail ? COLUMNS[focus] : ""} ${hidesList && back !== null && !notice ? "" : "mt-4"}`}
      >
        <div className={`@container flex min-w-0 flex-col lg:min-h-0 ${hidesList ? "max-lg:hidden" : ""}`}>{list}</div>
        {hasDetail && (
          <section
            aria-label={detailName}
            className={`flex min-w-0 flex-col lg:min-h-0 ${hidesList ? "" : "max-lg:hidden"}`}
          >
            {back !== null && (
              <div className="mb-2 flex items-center gap-1 lg:hidden">
                <Button look="plain" size="small" className="-ml-2" onClick={onBack}>
                  <ChevronLeft aria-hidden className="size-4" /> {back}
                </Button>
                {backBeside}
              </div>
            )}
            <div
              className={`lg:max-h-full lg:overflow-y-auto ${focus === "list" ? "rounded-xl border border-line bg-raised" : ""}`}
            >
              {detail}
            </div>
          </section>
        )}
      </div>
    </main>
  );
}
