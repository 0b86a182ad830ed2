"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { usePeople } from "@/features/approvals/use-people.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { LARGE_INPUT, useTRPC } from "@/trpc/client.ts";
import { ScrollList } from "@/ui/lists/scroll-list.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";

const LAST_COMMANDS = 10_000;
const COLOURS = { allow: "text-accent", ask: "text-attention", deny: "text-danger" } as const;

/** How a draft would have judged past commands, shown before it is saved. */
export function Replay({ text }: { text: string }) {
  const people = usePeople();
  const replay = useQuery(
    useTRPC().policy.simulate.queryOptions(
      { text, lastCommands: LAST_COMMANDS },
      { trpc: LARGE_INPUT, staleTime: 60_000, retry: false },
    ),
  );
  if (replay.error) return <ErrorMessage className="whitespace-pre-wrap">{replay.error.message}</ErrorMessage>;
  if (!replay.data)
    return (
      <p role="status" className="animate-pulse text-sm text-muted">
        Replaying your draft on past commands …
      </p>
    );
  const { judged, changed, changes } = replay.data;
  const refused = changes.filter(({ refusedBy, after }) => refusedBy !== null && after === "allow");
  if (judged === 0) return <p className="text-sm text-muted">There are no past commands to try it on yet.</p>;
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm">
        Of the last {judged.toLocaleString()} commands,{" "}
        <strong>{changed === 0 ? "none changes" : `${changed.toLocaleString()} change`}</strong>
        {changed > 0 && `: ${summaryOf(changes)}`}.
      </p>
      {refused.length > 0 && (
        <div role="alert" className="flex gap-2 rounded-lg bg-danger-soft p-3 text-sm">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          <p>
            {refused.length === 1 ? "A command that was refused" : `${refused.length} commands that were refused`} would
            run without asking. Look at {refused.length === 1 ? "it" : "them"} first:{" "}
            {refused.slice(0, 3).map(({ line }) => (
              <code key={line} className="mr-2 font-mono text-xs break-all">
                {visibleText(line)}
              </code>
            ))}
          </p>
        </div>
      )}
      {changes.length > 0 && (
        <ScrollList
          label="Commands that change"
          className="max-h-80 divide-y divide-line rounded-lg border border-line"
        >
          {changes.map(({ line, profile, before, after, at, count, refusedBy }) => (
            <li
              key={`${profile} ${line}`}
              className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5 text-sm"
            >
              <span className="w-24 shrink-0 text-xs">
                <span className={COLOURS[before]}>{before}</span> → <span className={COLOURS[after]}>{after}</span>
              </span>
              <code className="min-w-40 flex-1 truncate font-mono text-xs">{visibleText(line)}</code>
              {count > 1 && <span className="text-xs text-muted tabular-nums">×{count}</span>}
              {refusedBy !== null && <span className="text-xs text-danger">refused by {people.nameOf(refusedBy)}</span>}
              <Age at={at} suffix=" ago" className="text-xs text-muted" />
            </li>
          ))}
        </ScrollList>
      )}
    </div>
  );
}

function summaryOf(changes: readonly { before: string; after: string; count: number }[]): string {
  const counts = new Map<string, number>();
  for (const { before, after, count } of changes) {
    const key = `${before} → ${after}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return [...counts].map(([key, count]) => `${count} ${key}`).join(", ");
}
