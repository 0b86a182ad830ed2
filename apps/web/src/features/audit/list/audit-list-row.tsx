import type { AuditRow } from "@belay/agent-gateway/router";
import { memo } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { formatRowTime } from "../format-time.ts";
import { describeRow } from "./describe-row.ts";

const MAX_SHOWN = 300;
const COLORS = { quiet: "", accent: "text-accent", attention: "text-attention", danger: "text-danger" };

export const AuditListRow = memo(function AuditListRow({
  row,
  who,
  isSelected,
  onSelect,
}: {
  row: AuditRow;
  who: string;
  isSelected: boolean;
  onSelect(seq: number): void;
}) {
  const { what, about, tone } = describeRow(row);
  return (
    <button
      type="button"
      onClick={() => onSelect(row.seq)}
      aria-current={isSelected ? "true" : undefined}
      className="flex h-full w-full cursor-pointer items-center gap-3 px-4 text-left text-sm -outline-offset-2 hover:bg-sunken aria-[current]:bg-sunken"
    >
      <time
        dateTime={new Date(row.at).toISOString()}
        className="w-32 shrink-0 truncate text-xs text-muted tabular-nums @max-md:w-16"
      >
        <span className="@max-md:hidden">{formatRowTime(row.at).day} </span>
        {formatRowTime(row.at).time}
      </time>
      <span className="w-28 shrink-0 truncate text-muted @max-lg:hidden">{who}</span>
      <span className={`shrink-0 whitespace-nowrap ${COLORS[tone]}`}>{what}</span>
      {about !== null && (
        <code className="min-w-0 flex-1 truncate font-mono text-xs">{visibleText(about.slice(0, MAX_SHOWN))}</code>
      )}
    </button>
  );
});
