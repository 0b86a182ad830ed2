"use client";

import { LayoutGrid, List, Search, Users } from "lucide-react";
import { useEffect, useRef } from "react";
import { useShortcuts } from "@/features/frame/keys/use-shortcuts.ts";
import { useAddressed } from "@/features/frame/use-addressed.ts";
import { isOnMachine, MachineFilter } from "@/features/machines/machine-filter.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { firstScreen } from "@/ui/later/first-screen.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { WhileAway } from "../pane/while-away.tsx";
import { XtermLater } from "../screen/xterm-later.tsx";
import { useStored } from "../use-stored.ts";
import { arrange, countByFilter, type Filter } from "./arrange-terminals.ts";
import { ConnectFirstAgent } from "./connect-first-agent.tsx";
import { TerminalCard } from "./terminal-card.tsx";
import { TerminalRow } from "./terminal-row.tsx";
import { useInSight } from "./use-in-sight.ts";
import { useMiniatures } from "./use-miniatures.ts";
import { useTerminals } from "./use-terminals.ts";

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "attention", label: "Needs you" },
  { value: "busy", label: "Running" },
  { value: "idle", label: "Idle" },
  { value: "people", label: "Taken over" },
];

/** Every terminal at a glance. */
export function TerminalOverview() {
  const { views: all, error, refetch } = useTerminals();
  const [machine, setMachine] = useAddressed("machine");
  const views = all?.filter(({ info }) => isOnMachine(machine, info));
  const [show, setShow] = useAddressed("show");
  const filter = FILTERS.find(({ value }) => value === show)?.value ?? "all";
  const [search, setSearch] = useAddressed("search");
  const [look, setLook] = useStored("belay-terminals-look", "grid");
  const [grouping, setGrouping] = useStored("belay-terminals-grouping", "none");
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => field.current?.focus() });
  // A terminal is what most people open next.
  useEffect(() => firstScreen.after(XtermLater.load), []);

  const byAgent = grouping === "agent";
  const groups = arrange(views ?? [], { filter, search, byAgent });
  const counts = countByFilter(views ?? [], search);
  const isGrid = look === "grid";
  const [inSight, onSight] = useInSight();
  const miniatures = useMiniatures(inSight);

  if (error && !views) return <Failure message={error.message} retry={() => void refetch()} />;
  if (!views) return <Loading what="terminals" />;
  if (all?.length === 0) return <ConnectFirstAgent />;
  return (
    <main className="w-full max-w-[110rem] p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight">Terminals</h1>
        <Choices
          legend="Show"
          isLegendHidden
          choices={FILTERS.map(({ value, label }) => ({ value, label, count: counts[value] }))}
          value={filter}
          onChange={(next) => setShow(next === "all" ? "" : next)}
        />
        <MachineFilter value={machine} onChange={setMachine} />
        <div className="ml-auto flex items-center gap-1 max-sm:w-full">
          <label className="relative flex-1">
            <span className="sr-only">Search terminals</span>
            <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
            <input
              ref={field}
              type="search"
              placeholder="Search  /"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
              className="h-9 w-full rounded-md border border-edge bg-raised pr-2 pl-8 text-base sm:w-52 sm:text-sm pointer-coarse:h-11"
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
      <WhileAway />
      {groups.length === 0 && <p className="mt-10 text-center text-muted">No terminal matches.</p>}
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name} className="mt-4">
          <h2 className="mb-1.5 text-sm font-medium text-muted">
            {group.name} <span className="tabular-nums">({group.views.length})</span>
          </h2>
          <ul
            aria-label={byAgent ? `Terminals of ${group.name}` : `Terminals: ${group.name}`}
            className={
              isGrid
                ? "grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] items-start gap-2.5"
                : "overflow-hidden rounded-lg border border-line bg-raised"
            }
          >
            {group.views.map((view) =>
              isGrid ? (
                <TerminalCard
                  key={view.info.id}
                  view={view}
                  lines={miniatures.get(view.info.id) ?? []}
                  onSight={onSight}
                />
              ) : (
                <TerminalRow key={view.info.id} view={view} />
              ),
            )}
          </ul>
        </section>
      ))}
    </main>
  );
}
