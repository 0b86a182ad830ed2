"use client";

import type { Approval } from "@belay/protocol";
import { useEffect, useRef } from "react";
import { formatAge } from "@/features/terminals/overview/activity.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useNow } from "@/features/terminals/use-now.ts";
import { levelLabel } from "../card/level-label.ts";
import { visibleText } from "../card/visible-text.ts";

/** Below this, the remaining time matters more than the age. */
const SOON_MS = 2 * 60_000;

/** One row of the queue. The selected row has the focus, and stays visible. */
export function ApprovalRow({
  approval,
  agentName,
  isSelected,
  isPicked,
  isRepeated,
  onSelect,
  onOpen,
}: {
  approval: Approval;
  agentName: string;
  isSelected: boolean;
  isPicked: boolean;
  /** Identical to the row above. */
  isRepeated: boolean;
  onSelect(): void;
  onOpen(): void;
}) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    row.current?.scrollIntoView({ block: "nearest" });
    // Move the focus only if it is already in the list, so that it does not jump out of a form.
    if (document.activeElement?.closest("[data-queue]")) row.current?.focus({ preventScroll: true });
  }, [isSelected]);
  const { subject, verdict, createdAt, expiresAt } = approval;
  const isDangerous = verdict.level === "dangerous";
  return (
    <li className={`animate-arrive rounded-lg ${isRepeated ? "pl-3" : ""}`}>
      <button
        ref={row}
        type="button"
        aria-current={isSelected}
        onFocus={onSelect}
        onClick={onOpen}
        className={`block w-full cursor-pointer rounded-lg border-l-4 px-3 py-2 text-left ${isDangerous ? "border-danger" : "border-attention"} ${isPicked ? "bg-accent-soft" : ""} ${isSelected ? "bg-raised shadow-sm ring-1 ring-line" : "hover:bg-sunken"}`}
      >
        <span className="flex items-baseline gap-2">
          <span className="truncate font-medium">{isRepeated ? "the same again" : agentName}</span>
          <span className={`text-xs ${isDangerous ? "text-danger" : "text-attention"}`}>
            {levelLabel(verdict.level)}
          </span>
          {isPicked && <span className="text-xs text-accent">selected</span>}
          <Age at={createdAt} className="ml-auto text-xs text-muted" />
        </span>
        <span className="mt-0.5 flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">
            {visibleText(subject.text.split("\n", 1)[0] ?? "")}
          </span>
          {expiresAt !== null && <ExpiresSoon at={expiresAt} />}
        </span>
      </button>
    </li>
  );
}

function ExpiresSoon({ at }: { at: number }) {
  const leftMs = at - useNow();
  if (leftMs > SOON_MS) return null;
  return <span className="shrink-0 text-xs text-danger tabular-nums">expires in {formatAge(leftMs)}</span>;
}
