"use client";

import { useQuery } from "@tanstack/react-query";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useShortcuts } from "@/features/frame/keys/use-shortcuts.ts";
import { MachineFilter } from "@/features/machines/machine-filter.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { FilterSelect } from "@/ui/controls/filter-select.tsx";
import { type AuditQuery, groupOf, type QueryKey, RANGES } from "../audit-query.ts";

type Change = (changes: Partial<Record<QueryKey, string | null>>) => void;

/** The debounce time of the search. */
const PAUSE_MS = 250;

/** The filters of the record. Active ones are in the address. */
export function AuditFilters({
  query,
  kinds,
  onChange,
}: {
  query: AuditQuery;
  kinds: readonly string[];
  onChange: Change;
}) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions());
  const people = useQuery(trpc.people.names.queryOptions());
  const groups = [...new Set(kinds.map(groupOf))];
  const [isOpen, setIsOpen] = useState(false);
  const isSet = Object.keys(query).length - (query.text ? 1 : 0);
  const isCustom = !query.range && (query.from !== undefined || query.to !== undefined);
  return (
    <>
      <TextFilter
        name="Search the record"
        placeholder="Search  /"
        param="text"
        query={query}
        onChange={onChange}
        isMain
      />
      <Button
        look="quiet"
        size="small"
        className="sm:hidden"
        aria-expanded={isOpen}
        onClick={() => setIsOpen((before) => !before)}
      >
        <SlidersHorizontal aria-hidden className="size-4" /> {isSet > 0 ? `Filters (${isSet})` : "Filters"}
      </Button>
      <div className={`contents ${isOpen ? "" : "max-sm:hidden"}`}>
        <FilterSelect
          name="Time"
          value={query.range ?? (isCustom ? "custom" : "")}
          onChange={(range) =>
            onChange(
              range === "custom"
                ? { range: null, from: toField(Date.now() - RANGES["24h"].ms), to: toField(Date.now()) }
                : { range, from: null, to: null },
            )
          }
        >
          <option value="">All time</option>
          {Object.entries(RANGES).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="custom">From … to …</option>
        </FilterSelect>
        {isCustom &&
          (["from", "to"] as const).map((key) => (
            <label key={key} className="inline-flex items-center gap-1.5 text-xs text-muted">
              {key}
              <input
                type="datetime-local"
                value={query[key] ?? ""}
                onChange={(event) => onChange({ [key]: event.target.value })}
                className="h-8 rounded-md border border-edge bg-raised px-2 text-sm text-ink pointer-coarse:h-11"
              />
            </label>
          ))}
        <FilterSelect name="Agent" value={query.agent ?? ""} onChange={(agent) => onChange({ agent })}>
          <option value="">Any agent</option>
          {agents.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FilterSelect>
        <FilterSelect name="Person" value={query.person ?? ""} onChange={(person) => onChange({ person })}>
          <option value="">Any person</option>
          {people.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FilterSelect>
        <FilterSelect name="Kind" value={query.kind ?? ""} onChange={(kind) => onChange({ kind })}>
          <option value="">Any kind</option>
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              <option value={group}>all of {group}</option>
              {kinds
                .filter((kind) => groupOf(kind) === group)
                .map((kind) => (
                  <option key={kind}>{kind}</option>
                ))}
            </optgroup>
          ))}
        </FilterSelect>
        <FilterSelect name="Verdict" value={query.verdict ?? ""} onChange={(verdict) => onChange({ verdict })}>
          <option value="">Any verdict</option>
          <option value="allow">allowed</option>
          <option value="ask">needs a person</option>
          <option value="deny">forbidden</option>
        </FilterSelect>
        <MachineFilter value={query.machine ?? ""} onChange={(machine) => onChange({ machine })} />
        <TextFilter name="Program" placeholder="Program" param="program" query={query} onChange={onChange} />
        {(["terminal", "command"] as const).map(
          (key) =>
            query[key] && (
              <button
                key={key}
                type="button"
                onClick={() => onChange({ [key]: null })}
                className="inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-md bg-accent-soft px-2.5 text-xs text-accent pointer-coarse:h-11"
              >
                {key} <code className="font-mono">{query[key]}</code>
                <X aria-hidden className="size-3.5" />
                <span className="sr-only">Take this filter away</span>
              </button>
            ),
        )}
      </div>
    </>
  );
}

/** Typed text becomes part of the query when typing pauses. */
function TextFilter({
  name,
  placeholder,
  param,
  query,
  onChange,
  isMain = false,
}: {
  name: string;
  placeholder: string;
  param: "text" | "program";
  query: AuditQuery;
  onChange: Change;
  isMain?: boolean;
}) {
  const current = query[param] ?? "";
  const [text, setText] = useState(current);
  const field = useRef<HTMLInputElement>(null);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => setText(current), [current]);
  useEffect(() => {
    const wanted = param === "program" ? text.trim() : text;
    if (wanted === current) return;
    const timer = setTimeout(() => change.current({ [param]: wanted }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, current, param]);
  useShortcuts(isMain ? { "/": () => field.current?.focus() } : {});
  return (
    <label className={`relative ${isMain ? "max-sm:flex-1" : ""}`}>
      <span className="sr-only">{name}</span>
      {isMain && <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />}
      <input
        ref={field}
        type="search"
        placeholder={placeholder}
        pattern={param === "program" ? "[^\\s%_]+" : undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        className={`h-8 rounded-md border border-edge bg-raised text-base pointer-coarse:h-11 sm:text-sm ${isMain ? "w-full pr-2 pl-8 sm:w-64" : "w-28 px-2.5"}`}
      />
    </label>
  );
}

/** A moment in the format of the browser's field, in the person's time zone. */
function toField(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
