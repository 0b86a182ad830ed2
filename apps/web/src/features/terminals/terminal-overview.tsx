"use client";

import { LayoutGrid, List, Search, Users } from "lucide-react";
import { useRef, useState } from "react";
import { useShortcuts } from "@/features/frame/use-shortcuts.ts";
import { Choices } from "@/ui/choices.tsx";
import { Failure } from "@/ui/failure.tsx";
import { IconButton } from "@/ui/icon-button.tsx";
import { Loading } from "@/ui/loading.tsx";
import { arrange, type Filter } from "./arrange-terminals.ts";
import { ConnectFirstAgent } from "./connect-first-agent.tsx";
import { TerminalCard } from "./terminal-card.tsx";
import { TerminalRow } from "./terminal-row.tsx";
import { useMiniatures } from "./use-miniatures.ts";
import { useNow } from "./use-now.ts";
import { useStored } from "./use-stored.ts";
import { useTerminals } from "./use-terminals.ts";

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "attention", label: "Need you" },
  { value: "busy", label: "Running" },
  { value: "people", label: "Held by people" },
];

/** Every terminal at a glance. */
export function TerminalOverview() {
  const now = useNow();
  const { views, error, refetch } = useTerminals(now);
  const [filter, setFilter] = useState<Filter>("all");
  const [search, setSearch] = useState("");
  const [look, setLook] = useStored("belay-terminals-look", "grid");
  const [grouping, setGrouping] = useStored("belay-terminals-grouping", "none");
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => field.current?.focus() });

  const byAgent = grouping === "agent";
  const groups = arrange(views ?? [], { filter, search, byAgent });
  const isGrid = look === "grid";
  const miniatures = useMiniatures(isGrid ? groups.flatMap((group) => group.views.map(({ info }) => info)) : []);

  if (error) return <Failure message={error.message} retry={() => void refetch()} />;
  if (!views) return <Loading what="terminals" />;
  if (views.length === 0) return <ConnectFirstAgent />;
  return (
    <main className="w-full max-w-[110rem] p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight">Terminals</h1>
        <Choices legend="Show" isLegendHidden choices={FILTERS} value={filter} onChange={setFilter} />
        <div className="ml-auto flex items-center gap-1 max-sm:w-full">
          <label className="relative flex-1">
            <span className="sr-only">Search terminals</span>
            <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-muted" />
            <input
              ref={field}
              type="search"
              placeholder="Search  /"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
              className="h-9 w-full rounded-md border border-line bg-raised pr-2 pl-8 text-base sm:w-52 sm:text-sm"
            />
          </label>
          <IconButton
            icon={Users}
            name="Group by agent"
            aria-pressed={byAgent}
            onClick={() => setGrouping(byAgent ? "none" : "agent")}
          />
          <IconButton icon={LayoutGrid} name="As a grid" aria-pressed={isGrid} onClick={() => setLook("grid")} />
          <IconButton icon={List} name="As a list" aria-pressed={!isGrid} onClick={() => setLook("list")} />
        </div>
      </header>
      {groups.length === 0 && <p className="mt-10 text-center text-muted">No terminal fits that.</p>}
      {groups.map((group) => (
        <section key={group.name ?? ""} aria-label={group.name ?? "All terminals"} className="mt-5">
          {group.name !== null && (
            <h2 className="mb-2 text-sm font-medium text-muted">
              {group.name} <span className="tabular-nums">({group.views.length})</span>
            </h2>
          )}
          <ul
            aria-label={group.name === null ? "Terminals" : `Terminals of ${group.name}`}
            className={
              isGrid
                ? "grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-3"
                : "overflow-hidden rounded-xl border border-line bg-raised"
            }
          >
            {group.views.map((view) =>
              isGrid ? (
                <TerminalCard key={view.info.id} view={view} now={now} lines={miniatures.get(view.info.id) ?? []} />
              ) : (
                <TerminalRow key={view.info.id} view={view} now={now} />
              ),
            )}
          </ul>
        </section>
      ))}
    </main>
  );
}
