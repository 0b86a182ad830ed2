"use client";

import type { ReplayMark } from "@belay/agent-gateway/router";
import { Bot, Check, Hand, type LucideIcon, MessageCircleQuestion, StickyNote, Terminal, X } from "lucide-react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { Link } from "@/ui/controls/link.tsx";
import { formatClock } from "./format-clock.ts";

const LOOKS: Record<ReplayMark["kind"], { icon: LucideIcon; color: string }> = {
  command: { icon: Terminal, color: "text-accent" },
  exit: { icon: Check, color: "text-muted" },
  asked: { icon: MessageCircleQuestion, color: "text-attention" },
  answered: { icon: MessageCircleQuestion, color: "text-attention" },
  person: { icon: Hand, color: "text-danger" },
  agent: { icon: Bot, color: "text-muted" },
  note: { icon: StickyNote, color: "text-muted" },
};

/** The marks in order; a click jumps there. Commands link to their rows in the audit. */
export function MarkList({
  marks,
  endMs,
  timeMs,
  onJump,
}: {
  marks: readonly ReplayMark[];
  /** Set if marks from this moment on are left out. */
  endMs: number | null;
  timeMs: number;
  onJump(ms: number): void;
}) {
  const { canOperate } = useMe();
  const current = marks.findLastIndex((mark) => mark.timeMs <= timeMs);
  return (
    <section aria-label="Marks" className="min-h-0 rounded-xl border border-line bg-raised lg:overflow-y-auto">
      {marks.length === 0 && <p className="p-4 text-sm text-muted">No commands in this recording.</p>}
      <ol className="p-1.5">
        {marks.map((mark, index) => {
          const isFailed = mark.kind === "exit" && mark.exitCode !== null && mark.exitCode !== 0;
          const { icon: Icon, color } = isFailed ? { icon: X, color: "text-danger" } : LOOKS[mark.kind];
          return (
            <li key={index} className="flex items-start">
              <button
                type="button"
                onClick={() => onJump(mark.timeMs)}
                aria-current={index === current ? "true" : undefined}
                className="flex min-h-8 min-w-0 flex-1 cursor-pointer items-start gap-2.5 rounded-md px-2 py-1.5 text-left text-sm hover:bg-sunken aria-[current]:bg-sunken pointer-coarse:min-h-11"
              >
                <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
                <span className="min-w-0 flex-1">
                  {mark.kind === "command" ? (
                    <code className="line-clamp-2 font-mono text-xs leading-5 break-words">
                      {visibleText(mark.text)}
                    </code>
                  ) : (
                    <span className={`text-xs ${color}`}>{visibleText(mark.text)}</span>
                  )}
                </span>
                <span className="shrink-0 text-xs text-muted tabular-nums">{formatClock(mark.timeMs)}</span>
              </button>
              {mark.kind === "command" && mark.commandId && canOperate && (
                <Link
                  href={`/audit?command=${mark.commandId}`}
                  className="shrink-0 rounded px-2 py-1.5 text-xs text-accent underline-offset-4 hover:underline pointer-coarse:py-3"
                >
                  audit
                </Link>
              )}
            </li>
          );
        })}
      </ol>
      {endMs !== null && (
        <p className="border-t border-line p-4 text-sm text-muted">
          {marks.length.toLocaleString()} marks are listed, up to {formatClock(endMs)}. Search the text for what came
          later.
        </p>
      )}
    </section>
  );
}
