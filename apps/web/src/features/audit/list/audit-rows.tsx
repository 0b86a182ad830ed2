"use client";

import { type ReactNode, useState } from "react";
import { useListKeys } from "@/features/frame/keys/use-list-keys.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { ChainState } from "../chain-state.tsx";
import { AuditDetail } from "../row/audit-detail.tsx";
import { useAuditQuery } from "../use-audit-query.ts";
import { useAuditRows } from "../use-audit-rows.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { ExportMenu } from "./export-menu.tsx";

/** All matching rows of the record, newest first. */
export function AuditRows({ switcher }: { switcher: ReactNode }) {
  const { isAdmin } = useMe();
  const { get, set } = useQueryState();
  const search = useAuditQuery();
  const [isTailing, setIsTailing] = useState(false);
  const { rows, ...pages } = useAuditRows(search.filter, { isReady: search.kinds !== null, isTailing });
  const wanted = Number(get("row"));
  const selected = Number.isInteger(wanted) && wanted > 0 ? wanted : null;
  const select = (seq: number | null, options?: { replaces: boolean }) =>
    set({ row: seq === null ? null : String(seq) }, options);
  useListKeys(rows?.map(({ seq }) => seq) ?? [], selected, (seq) => select(seq, { replaces: true }));

  const problem = search.problem ?? (rows ? null : pages.error);
  return (
    <ListDetail
      title="Audit"
      note={<ChainState />}
      actions={
        <>
          {switcher}
          <Button
            look="quiet"
            size="small"
            aria-pressed={isTailing}
            className="aria-pressed:border-accent aria-pressed:text-accent"
            onClick={() => setIsTailing((before) => !before)}
          >
            <span aria-hidden className={`size-2 rounded-full ${isTailing ? "animate-pulse bg-accent" : "bg-edge"}`} />
            Live
          </Button>
          {isAdmin && <ExportMenu filter={search.filter} />}
        </>
      }
      filters={<AuditFilters query={search.query} kinds={search.kinds ?? []} onChange={search.change} />}
      list={
        problem ? (
          <Failure message={problem.message} retry={() => void pages.refetch()} />
        ) : rows === null ? (
          <Loading what="the record" />
        ) : (
          <AuditList
            rows={rows}
            selected={selected}
            onSelect={(seq) => select(seq)}
            hasMore={pages.hasNextPage}
            isLoadingMore={pages.isFetchingNextPage}
            onMore={() => void pages.fetchNextPage()}
          />
        )
      }
      detail={
        selected === null ? null : <AuditDetail key={selected} seq={selected} onNarrow={search.change} onGo={select} />
      }
      detailName={`Row ${selected ?? ""}`}
      onBack={() => select(null)}
    />
  );
}
