"use client";

import type { TimelineEntry } from "@belay/agent-gateway/router";
import type { TerminalId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { Ban, Check, CircleDashed, Hand, type LucideIcon, Play, X } from "lucide-react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { ChangesButton } from "@/features/changes/changes-button.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { formatDuration } from "../overview/activity.ts";
import { Age } from "../overview/age.tsx";
import { REACHED_LIMITS } from "../wall-words.ts";

/** The commands of a terminal, newest first. A click jumps to where its output begins. */
export function Timeline({ id, onJump }: { id: TerminalId; onJump(position: number): void }) {
  const commands = useQuery(useTRPC().terminals.commands.queryOptions({ id }));
  if (commands.error) return <p className="p-4 text-sm text-danger">{commands.error.message}</p>;
  if (!commands.data) return <p className="p-4 text-sm text-muted">Loading commands …</p>;
  if (commands.data.length === 0) return <p className="p-4 text-sm text-muted">No commands yet.</p>;
  return (
    <ol aria-label="Its commands, newest first" className="p-2">
      {commands.data.map((entry) => (
        <TimelineRow key={entry.id} entry={entry} onJump={onJump} />
      ))}
    </ol>
  );
}

/** One command. Without `onJump` it has no output to jump to. */
export function TimelineRow({ entry, onJump }: { entry: TimelineEntry; onJump?(position: number): void }) {
  const { icon: Icon, color, words } = endOf(entry);
  const { startPosition } = entry;
  const facts = [
    words,
    entry.limit && REACHED_LIMITS[entry.limit],
    entry.durationMs === null ? null : formatDuration(entry.durationMs),
    entry.isApproved ? "approved" : null,
    entry.isEdited ? "edited" : null,
    entry.isUndelivered ? "the client had gone before it was told" : null,
  ].filter((fact) => fact !== null);
  return (
    <li>
      <button
        type="button"
        disabled={startPosition === null || !onJump}
        onClick={() => startPosition !== null && onJump?.(startPosition)}
        className="flex w-full gap-2.5 rounded-md px-2 py-2 text-left enabled:cursor-pointer enabled:hover:bg-sunken"
      >
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-3 font-mono text-xs leading-5 break-words">{visibleText(entry.line)}</span>
          <span className="flex gap-2 text-xs text-muted">
            <span className={`min-w-0 ${color === "text-muted" ? "" : color}`}>{facts.join(" · ")}</span>
            <Age at={entry.openedAt} suffix=" ago" className="ml-auto" />
          </span>
          {isRemarkable(entry) && entry.verdict?.reasons[0] && (
            <span className="block text-xs text-muted">{entry.verdict.reasons[0].reason}</span>
          )}
        </span>
      </button>
      <ChangesButton commandId={entry.id} words={entry.changes} className="ml-8.5" />
    </li>
  );
}

/** States in which the verdict is what matters. */
function isRemarkable({ status, verdict }: TimelineEntry): boolean {
  return status === "denied" || status === "waiting" || verdict?.level === "dangerous";
}

const REFUSALS = { denied: "refused", expired: "not answered in time", withdrawn: "withdrawn" } as const;

function endOf(entry: TimelineEntry): { icon: LucideIcon; color: string; words: string } {
  switch (entry.status) {
    case "waiting":
      return { icon: Hand, color: "text-attention", words: "waiting for approval" };
    case "running":
      return { icon: Play, color: "text-accent", words: "running" };
    case "done":
    case "ran":
      if (entry.exitCode === 0)
        return { icon: Check, color: "text-muted", words: entry.isApplied ? "applied, exit 0" : "exit 0" };
      if (entry.exitCode === null) return { icon: CircleDashed, color: "text-muted", words: "ended" };
      return { icon: X, color: "text-danger", words: `exit ${entry.exitCode}` };
    case "cleared":
      if (entry.exitCode === null) return { icon: Check, color: "text-muted", words: "allowed" };
      if (entry.exitCode === 0) return { icon: Check, color: "text-muted", words: "allowed, exit 0" };
      return { icon: X, color: "text-danger", words: `allowed, exit ${entry.exitCode}` };
    case "undelivered":
      if (entry.exitCode !== null)
        return { icon: X, color: "text-danger", words: `ran before it was answered, exit ${entry.exitCode}` };
      return { icon: CircleDashed, color: "text-attention", words: "answered too late: the client did not wait" };
    case "leftToClient":
      return { icon: Hand, color: "text-muted", words: "asked in the client" };
    case "denied":
      return { icon: Ban, color: "text-danger", words: "forbidden by the policy" };
    case "refused":
      return { icon: Ban, color: "text-danger", words: REFUSALS[entry.refusal ?? "denied"] };
    default:
      return { icon: CircleDashed, color: "text-muted", words: `not run: ${entry.status}` };
  }
}
