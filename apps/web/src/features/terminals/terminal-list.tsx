"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/trpc/client.ts";
import { Failure } from "@/ui/failure.tsx";
import { Loading } from "@/ui/loading.tsx";
import { describeActivity, formatAge } from "./activity.ts";
import { ConnectFirstAgent } from "./connect-first-agent.tsx";
import { useNow } from "./use-now.ts";

const dots = { quiet: "bg-muted", busy: "bg-accent", attention: "bg-attention", ended: "bg-line" } as const;

export function TerminalList() {
  const trpc = useTRPC();
  const now = useNow();
  const terminals = useQuery(trpc.terminals.list.queryOptions());
  const agents = useQuery(trpc.agents.list.queryOptions());

  if (terminals.error) return <Failure message={terminals.error.message} retry={() => void terminals.refetch()} />;
  if (!terminals.data) return <Loading what="terminals" />;
  if (terminals.data.length === 0) return <ConnectFirstAgent />;
  const nameOf = (agentId: string | null) => agents.data?.find(({ id }) => id === agentId)?.name ?? null;
  return (
    <main className="w-full max-w-6xl p-4 sm:p-6">
      <h1 className="sr-only">Terminals</h1>
      <ul aria-label="Terminals" className="overflow-hidden rounded-xl border border-line bg-raised">
        {terminals.data.map((terminal) => {
          const { text, tone } = describeActivity(terminal, now);
          return (
            <li key={terminal.id} className="border-line not-last:border-b">
              <Link
                href={`/terminal?id=${terminal.id}`}
                className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 hover:bg-sunken"
              >
                <span aria-hidden className={`size-2 shrink-0 self-center rounded-full ${dots[tone]}`} />
                <span className="font-mono text-sm">{terminal.name ?? terminal.id}</span>
                <span
                  className={`min-w-0 flex-1 truncate text-sm ${tone === "attention" ? "text-attention" : "text-muted"}`}
                >
                  {text}
                </span>
                <span className="text-sm text-muted">
                  {terminal.owner === "user" ? "held by a person" : (nameOf(terminal.agentId) ?? "agent")}
                </span>
                <span className="w-full truncate font-mono text-xs text-muted sm:w-auto">{terminal.cwd}</span>
                <span className="text-xs text-muted tabular-nums">{formatAge(now - terminal.createdAt)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </main>
  );
}
