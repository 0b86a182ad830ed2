"use client";

import type { AwayLine } from "@belay/agent-gateway/router";
import { useQuery } from "@tanstack/react-query";
import { Ban, Check, type LucideIcon, X } from "lucide-react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { useTRPC } from "@/trpc/client.ts";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Age } from "../overview/age.tsx";
import { useAbsence } from "./use-absence.ts";

const LOOKS: Record<AwayLine["kind"], { icon: LucideIcon; color: string }> = {
  denied: { icon: Ban, color: "text-danger" },
  refused: { icon: Ban, color: "text-danger" },
  failed: { icon: X, color: "text-danger" },
  ran: { icon: Check, color: "text-muted" },
};

/** After an absence: a summary of five lines, each with a link. */
export function WhileAway() {
  const agents = useAgents();
  const { since, dismiss } = useAbsence();
  const away = useQuery(
    useTRPC().gateway.whileAway.queryOptions({ since: since ?? 0 }, { enabled: since !== null, staleTime: Infinity }),
  );
  if (since === null || !away.data || away.data.lines.length === 0) return null;
  const { ran, failed, denied, refused, lines } = away.data;
  const counts = [
    `${ran} ran`,
    failed > 0 ? `${failed} failed` : null,
    denied > 0 ? `${denied} forbidden` : null,
    refused > 0 ? `${refused} refused` : null,
  ].filter((count) => count !== null);
  return (
    <section aria-label="While you were away" className="mt-4 rounded-lg border border-line bg-raised">
      <header className="flex items-center gap-2 px-3 pt-1 text-sm">
        <h2 className="font-medium">While you were away</h2>
        <p className="min-w-0 flex-1 truncate text-muted">{counts.join(", ")}</p>
        <IconButton icon={X} name="Dismiss" onClick={dismiss} className="-mr-1.5" />
      </header>
      <AwayLines lines={lines} nameOf={agents.nameOf} className="px-1 pb-1" />
    </section>
  );
}

/** What happened, line by line, each with a link. */
export function AwayLines({
  lines,
  nameOf,
  className = "",
}: {
  lines: readonly AwayLine[];
  /** Left out if all are of one agent. */
  nameOf?: (agentId: string) => string;
  className?: string;
}) {
  return (
    <ul className={className}>
      {lines.map((line) => {
        const { icon: Icon, color } = LOOKS[line.kind];
        const at = line.position === null ? "" : `&at=${line.position}`;
        const inside = (
          <>
            <Icon aria-hidden className={`size-4 shrink-0 ${color}`} />
            {nameOf && <span className="shrink-0">{nameOf(line.agentId)}</span>}
            <code className="min-w-0 flex-1 truncate font-mono text-xs">{visibleText(line.line)}</code>
            <span className={`shrink-0 text-xs ${color}`}>{wordsOf(line)}</span>
            <Age at={line.at} suffix=" ago" className="text-xs text-muted max-sm:hidden" />
          </>
        );
        const look = "flex min-h-9 items-center gap-2.5 rounded-md px-2 text-sm pointer-coarse:min-h-11";
        return (
          <li key={line.commandId}>
            {line.terminalId === null ? (
              <p className={look}>{inside}</p>
            ) : (
              <Link href={`/terminal?id=${line.terminalId}${at}`} className={`${look} hover:bg-sunken`}>
                {inside}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf({ kind, exitCode }: AwayLine): string {
  switch (kind) {
    case "denied":
      return "forbidden";
    case "refused":
      return "refused";
    case "failed":
      return exitCode === null ? "failed" : `exit ${exitCode}`;
    case "ran":
      return exitCode === null ? "ran" : `exit ${exitCode}`;
  }
}
