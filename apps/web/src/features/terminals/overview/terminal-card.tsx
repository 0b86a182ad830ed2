"use client";

import type { TerminalId } from "@belay/protocol";
import { useEffect, useRef } from "react";
import { Link } from "@/ui/controls/link.tsx";
import { wallName } from "../wall-words.ts";
import { Age } from "./age.tsx";
import { StateWords } from "./state-words.tsx";
import type { TerminalView } from "./use-terminals.ts";

const SHOWN_LINES = 6;

/** One terminal as a miniature. Reports when it enters and leaves the viewport: only visible ones are drawn. */
export function TerminalCard({
  view,
  lines,
  onSight,
}: {
  view: TerminalView;
  lines: readonly string[];
  onSight(id: TerminalId, isSeen: boolean): void;
}) {
  const { info, words, agent } = view;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const element = item.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting } of entries) onSight(info.id, isIntersecting);
      },
      { rootMargin: "200px" },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      onSight(info.id, false);
    };
  }, [info.id, onSight]);
  const last = lastOf(lines);
  // Leave out the prompt or the repeated command, which the lines above already show.
  const shown = words.line !== null && last.length < 2 ? [] : last;
  return (
    // Outside the viewport it is neither laid out nor painted.
    <li ref={item} className="[contain-intrinsic-size:auto_5.5rem] [content-visibility:auto]">
      <Link
        href={`/terminal?id=${info.id}`}
        className={`block overflow-hidden rounded-lg border bg-raised transition-colors hover:border-edge ${words.tone === "attention" ? "border-attention" : "border-line"}`}
      >
        <span className="flex items-baseline gap-2 px-3 pt-2">
          <span className="min-w-0 truncate font-medium">{agent ?? "A person"}</span>
          {info.owner === "user" && agent && <HeldByPerson view={view} />}
          <Age at={words.since ?? info.createdAt} className="ml-auto text-xs text-muted" />
        </span>
        <StateWords words={words} isStacked className="px-3 pb-2 text-sm" />
        {shown.length > 0 && (
          <span
            aria-hidden
            className="flex flex-col justify-end overflow-hidden bg-screen px-3 py-2 font-mono text-2xs leading-4 whitespace-pre text-screen-ink"
          >
            {shown.join("\n")}
          </span>
        )}
        <span className="block truncate px-3 py-1.5 font-mono text-xs text-muted">
          {info.machine && `${info.machine} · `}
          {info.name ?? info.id} · {wallName(info.wall)} · {info.cwd}
        </span>
      </Link>
    </li>
  );
}

export function HeldByPerson({ view: { info } }: { view: TerminalView }) {
  return <span className="shrink-0 text-xs text-accent">{info.isBorrowed ? "a person is typing" : "taken over"}</span>;
}

/** The last lines that are not empty. */
function lastOf(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const kept = lines.slice(Math.max(0, end - SHOWN_LINES), end);
  return kept.slice(
    Math.max(
      0,
      kept.findIndex((line) => line.trim() !== ""),
    ),
  );
}
