"use client";

import dynamic from "next/dynamic";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { Choices } from "@/ui/controls/choices.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { untilLoaded } from "@/ui/states/until-loaded.ts";
import { AuditRows } from "./list/audit-rows.tsx";

const AuditCharts = dynamic(
  untilLoaded(() => import("./charts/audit-charts.tsx").then(({ AuditCharts }) => AuditCharts)),
  {
    loading: () => <Loading what="charts" />,
    ssr: false,
  },
);

/** The record: row by row, or as charts. */
export function AuditPage() {
  const { get, set } = useQueryState();
  const view = get("view") === "charts" ? "charts" : "rows";
  const switcher = (
    <Choices
      legend="View"
      isLegendHidden
      choices={[
        { value: "rows", label: "Rows" },
        { value: "charts", label: "Charts" },
      ]}
      value={view}
      onChange={(value) => set({ view: value === "rows" ? null : value, row: null })}
    />
  );
  return view === "charts" ? <AuditCharts switcher={switcher} /> : <AuditRows switcher={switcher} />;
}
