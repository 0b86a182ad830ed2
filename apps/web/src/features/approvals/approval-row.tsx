"use client";

import type { Approval } from "@belay/protocol";
import { formatAge } from "@/features/terminals/activity.ts";
import { useNow } from "@/features/terminals/use-now.ts";
import { visibleText } from "./visible-text.ts";

/** One line of the queue. */
export function ApprovalRow({
  approval,
  agentName,
  isSelected,
  onSelect,
}: {
  approval: Approval;
  agentName: string;
  isSelected: boolean;
  onSelect(): void;
}) {
  const now = useNow();
  const { subject, verdict, createdAt, expiresAt } = approval;
  const isDangerous = verdict.level === "dangerous";
  return (
    <li className="animate-arrive rounded-lg">
      <button
        type="button"
        aria-current={isSelected}
        onClick={onSelect}
        className={`block w-full cursor-pointer rounded-lg border-l-4 px-3 py-2 text-left ${isDangerous ? "border-danger" : "border-attention"} ${isSelected ? "bg-raised shadow-sm ring-1 ring-line" : "hover:bg-sunken"}`}
      >
        <span className="flex items-baseline gap-2">
          <span className="truncate font-medium">{agentName}</span>
          <span className={`text-xs ${isDangerous ? "text-danger" : "text-attention"}`}>{verdict.level}</span>
          <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">
            {expiresAt === null ? formatAge(now - createdAt) : `${formatAge(expiresAt - now)} left`}
          </span>
        </span>
        <span className="mt-0.5 block truncate font-mono text-xs text-muted">
          {visibleText(subject.text.split("\n", 1)[0] ?? "")}
        </span>
      </button>
    </li>
  );
}
