"use client";

import { Link } from "@/ui/controls/link.tsx";
import { wallName } from "../wall-words.ts";
import { Age } from "./age.tsx";
import { StateWords } from "./state-words.tsx";
import { HeldByPerson } from "./terminal-card.tsx";
import type { TerminalView } from "./use-terminals.ts";

/** One terminal on one line. */
export function TerminalRow({ view }: { view: TerminalView }) {
  const { info, words, agent } = view;
  return (
    <li className="border-line [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] not-last:border-b">
      <Link
        href={`/terminal?id=${info.id}`}
        className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2.5 hover:bg-sunken md:grid-cols-[10rem_minmax(0,1fr)_minmax(0,18rem)_4rem]"
      >
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="truncate font-medium">{agent ?? "A person"}</span>
          {info.owner === "user" && agent && <HeldByPerson view={view} />}
        </span>
        <StateWords words={words} className="max-md:col-span-2 max-md:row-start-2" />
        <span className="truncate font-mono text-xs text-muted max-md:col-span-2">
          {info.machine && `${info.machine} · `}
          {info.name ?? info.id} · {wallName(info.wall)} · {info.cwd}
        </span>
        <Age at={info.createdAt} className="text-right text-xs text-muted max-md:col-start-2 max-md:row-start-1" />
      </Link>
    </li>
  );
}
