"use client";

import type { Approval } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Link } from "@/ui/controls/link.tsx";
import { visibleText } from "../card/visible-text.ts";
import { usePeople } from "../use-people.ts";

const SHOWN = 20;

/** Recent answers: what, how, by whom and when. */
export function AnsweredList({ nameOf }: { nameOf(agentId: string): string }) {
  const people = usePeople();
  const approvals = useQuery(useTRPC().approvals.list.queryOptions({ state: "all" }));
  const answered = approvals.data?.filter(({ state }) => state.status !== "pending").slice(0, SHOWN) ?? [];
  if (answered.length === 0) return null;
  return (
    <details className="mt-6 rounded-xl border border-line bg-raised">
      <summary className="cursor-pointer px-4 py-2.5 text-sm font-medium pointer-coarse:py-3">
        Answered lately <span className="text-muted tabular-nums">({answered.length})</span>
      </summary>
      <ul aria-label="Answered lately" className="border-t border-line p-1">
        {answered.map(({ id, subject, state }) => (
          <li key={id}>
            <Link
              href={`/approvals?id=${id}`}
              className="flex min-h-9 flex-wrap items-center gap-x-3 rounded-md px-3 py-1 text-sm hover:bg-sunken pointer-coarse:min-h-11"
            >
              <span className="shrink-0">{nameOf(subject.agentId)}</span>
              <code className="min-w-40 flex-1 truncate font-mono text-xs">
                {visibleText(subject.text.split("\n", 1)[0] ?? "")}
              </code>
              <span className="shrink-0 text-xs text-muted">{answerWords(state, people.nameOf)}</span>
              {state.status !== "pending" && <Age at={state.at} suffix=" ago" className="text-xs text-muted" />}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

function answerWords(state: Approval["state"], nameOf: (id: string) => string): string {
  switch (state.status) {
    case "approved":
      return `approved by ${state.by.map(nameOf).join(" and ")}`;
    case "denied":
      return `refused by ${nameOf(state.by)}`;
    default:
      return state.status;
  }
}
