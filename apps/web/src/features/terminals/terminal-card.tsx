"use client";

import Link from "next/link";
import { formatAge } from "./activity.ts";
import { StateWords } from "./state-words.tsx";
import type { TerminalView } from "./use-terminals.ts";

/** One terminal as a small picture of itself. */
export function TerminalCard({ view, now, lines }: { view: TerminalView; now: number; lines: string[] }) {
  const { info, words, agent } = view;
  return (
    <li>
      <Link
        href={`/terminal?id=${info.id}`}
        className={`block overflow-hidden rounded-xl border bg-raised transition-colors hover:border-edge ${words.tone === "attention" ? "border-attention" : "border-line"}`}
      >
        <span className="flex items-baseline gap-2 px-3.5 pt-2.5">
          <span className="min-w-0 truncate font-medium">{agent ?? "A person"}</span>
          {info.owner === "user" && agent && <span className="shrink-0 text-xs text-accent">held by a person</span>}
          <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">{formatAge(now - info.createdAt)}</span>
        </span>
        <StateWords words={words} className="px-3.5 pt-0.5 pb-2.5 text-sm" />
        <span
          aria-hidden
          className="flex h-36 flex-col justify-end overflow-hidden bg-screen px-3.5 py-2.5 font-mono text-2xs leading-4 whitespace-pre text-screen-ink"
        >
          {lines.join("\n")}
        </span>
        <span className="block truncate px-3.5 py-2 font-mono text-xs text-muted">
          {info.name ?? info.id} · {info.cwd}
        </span>
      </Link>
    </li>
  );
}
