"use client";

import type { Charts } from "@belay/agent-gateway/router";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { usePeople } from "@/features/approvals/use-people.ts";
import { PAGES } from "@/features/frame/pages.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { formatDuration } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Choices } from "@/ui/controls/choices.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { RANGES, type Range } from "../audit-query.ts";
import { BarList } from "./bar-list.tsx";
import { VerdictChart } from "./verdict-chart.tsx";

/** The record as charts. */
export function AuditCharts({ switcher }: { switcher: ReactNode }) {
  const { get, set } = useQueryState();
  const wanted = get("range") as Range | null;
  const range: Range = wanted !== null && wanted in RANGES ? wanted : "24h";
  const [now] = useState(Date.now);
  const charts = useQuery(useTRPC().audit.charts.queryOptions({ from: now - RANGES[range].ms, to: now }));
  return (
    <main className="w-full max-w-[110rem] p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-xl font-semibold tracking-tight">Audit</h1>
        <span className="flex-1" />
        <Choices
          legend="Time"
          isLegendHidden
          choices={Object.entries(RANGES).map(([value, { label }]) => ({ value: value as Range, label }))}
          value={range}
          onChange={(value) => set({ range: value }, { replaces: true })}
        />
        {switcher}
      </header>
      {charts.error && !charts.data ? (
        <Failure message={charts.error.message} retry={() => void charts.refetch()} />
      ) : charts.data ? (
        <ChartGrid charts={charts.data} range={range} />
      ) : (
        <Loading what="charts" />
      )}
    </main>
  );
}

function ChartGrid({ charts, range }: { charts: Charts; range: Range }) {
  const agents = useAgents();
  const people = usePeople();
  const { waits } = charts;
  return (
    <div className="mt-4 grid gap-4 lg:grid-cols-2 xl:grid-cols-3">
      <Panel title="Commands by verdict" className="lg:col-span-2 xl:col-span-3">
        <VerdictChart {...charts.verdicts} />
      </Panel>
      <Panel title="Wait for an answer">
        {waits.answered + waits.expired === 0 ? (
          <p className="text-sm text-muted">No question was answered in this time.</p>
        ) : (
          <dl className="grid grid-cols-2 gap-2 text-sm">
            <Figure name="median" value={waits.medianMs === null ? "–" : formatDuration(waits.medianMs)} />
            <Figure name="worst" value={waits.worstMs === null ? "–" : formatDuration(waits.worstMs)} />
            <Figure name="answered" value={waits.answered.toLocaleString()} />
            <Figure name="ran out of time" value={waits.expired.toLocaleString()} />
          </dl>
        )}
      </Panel>
      <Panel title="Who answers">
        <BarList
          empty="No answers yet."
          bars={charts.answerers.map(({ personId, approved, denied, medianMs }) => ({
            key: personId,
            name: people.nameOf(personId),
            value: approved + denied,
            note: `${approved} yes, ${denied} no, median ${formatDuration(medianMs)}`,
            href: `/audit?person=${encodeURIComponent(personId)}&range=${range}`,
          }))}
        />
      </Panel>
      <Panel title="Busiest agents">
        <BarList
          empty="No agent ran anything."
          bars={charts.agents.map(({ agentId, commands }) => ({
            key: agentId,
            name: agents.nameOf(agentId),
            value: commands,
            note: `${commands.toLocaleString()} ${commands === 1 ? "command" : "commands"}`,
            href: `/audit?agent=${agentId}&range=${range}`,
          }))}
        />
      </Panel>
      <Panel title="Asked about most" className="lg:col-span-2 xl:col-span-3">
        <MostAsked asked={charts.asked} />
      </Panel>
    </div>
  );
}

function MostAsked({ asked }: { asked: Charts["asked"] }) {
  const hasPolicyPage = PAGES.some(({ href }) => href === "/policy");
  if (asked.length === 0) return <p className="text-sm text-muted">Nothing was asked.</p>;
  return (
    <ul className="divide-y divide-line">
      {asked.map(({ text, approvalId, asked: times, approved, denied }) => (
        <li key={approvalId} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
          <code className="min-w-0 flex-1 basis-60 truncate font-mono text-xs">{visibleText(text.slice(0, 300))}</code>
          <span className="text-muted tabular-nums">
            {times} asked, {approved} yes, {denied} no
          </span>
          <Link className="text-accent underline-offset-4 hover:underline" href={`/approvals?id=${approvalId}`}>
            Look
          </Link>
          {hasPolicyPage && denied === 0 && approved > 0 && (
            <Link
              className="text-accent underline-offset-4 hover:underline"
              href={`/policy?try=${encodeURIComponent(text.slice(0, 2000))}`}
            >
              Make a rule
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function Panel({ title, className = "", children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`min-w-0 rounded-xl border border-line bg-raised p-4 ${className}`}>
      <h2 className="mb-3 text-sm font-medium">{title}</h2>
      {children}
    </section>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="rounded-lg bg-sunken px-3 py-2">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-base font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
