"use client";

import type { TerminalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";

const EVERY_MS = 1_500;

/** The last lines of a terminal, as text. */
export function LastLines({ id, count = 8 }: { id: TerminalId; count?: number }) {
  const miniatures = useQuery(
    useTRPC().terminals.miniatures.queryOptions({ ids: [id] }, { refetchInterval: EVERY_MS }),
  );
  const lines = miniatures.data?.[0]?.lines.slice(-count) ?? [];
  if (lines.every((line) => line.trim() === "")) return null;
  return (
    <pre className="mt-2 overflow-hidden rounded-md bg-screen p-3 font-mono text-xs leading-5 text-screen-ink">
      {lines.join("\n")}
    </pre>
  );
}
