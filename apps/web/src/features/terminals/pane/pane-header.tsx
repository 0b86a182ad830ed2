"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { ArrowDownToLine, ChevronLeft, History, Search, X } from "lucide-react";
import { useMe } from "@/features/frame/use-me.ts";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { StateWords } from "../overview/state-words.tsx";
import { useTerminals } from "../overview/use-terminals.ts";
import type { LiveTerminal } from "../screen/live-terminal.ts";
import type { ConnectionState, Typing } from "../screen/terminal-stream.ts";
import { limitWords, wallWords } from "../wall-words.ts";
import { PaneMenu } from "./pane-menu.tsx";
import { TakeOver } from "./take-over.tsx";
import { Watchers } from "./watchers.tsx";

interface Props {
  id: TerminalId;
  isAlone: boolean;
  canAdd: boolean;
  shown: readonly TerminalId[];
  terminal: { info: TerminalInfo; typing: Typing } | null;
  connection: ConnectionState;
  exit: { code: number | null } | null;
  live: LiveTerminal | null;
  isForScreenReader: boolean;
  onAdd(id: TerminalId): void;
  onRemove(): void;
  onScreenReader(): void;
  onSearch(): void;
  onCommands(): void;
}

/** What this terminal is and does, who may type, and its actions. */
export function PaneHeader(props: Props) {
  const { id, isAlone, terminal, connection, exit, live } = props;
  const { canOperate } = useMe();
  const { views } = useTerminals();
  const view = views?.find(({ info }) => info.id === id);
  const isRunning = terminal?.info.state.status === "running" && exit === null;
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-raised px-2 py-1.5 sm:px-4">
      {isAlone && (
        <Link
          href="/"
          aria-label="Back to terminals"
          className="-mx-1 grid size-9 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-5" />
        </Link>
      )}
      <div className="min-w-40 flex-1">
        <div className="flex min-w-0 items-baseline gap-2">
          <h1 className="truncate text-sm font-semibold">{view?.agent ?? terminal?.info.name ?? "Terminal"}</h1>
          <span className="truncate font-mono text-xs text-muted max-sm:hidden">
            {terminal?.info.name ?? id} · {terminal?.info.cwd}
          </span>
        </div>
        <div className="flex min-w-0 items-center gap-3 text-sm">
          {view && exit === null && <StateWords words={view.words} />}
          <span
            role="status"
            className={`shrink-0 text-muted ${connection.status === "live" && !exit ? "max-sm:sr-only" : ""}`}
          >
            {statusWords(connection, exit, terminal?.typing ?? null)}
          </span>
          {terminal && (
            <span
              className="min-w-0 truncate text-muted"
              title={terminal.info.limits && `At most ${limitWords(terminal.info.limits)}`}
            >
              {wallWords(terminal.info.wall)}
            </span>
          )}
          <Watchers id={id} />
        </div>
      </div>
      <div className="ml-auto flex items-center">
        {canOperate && isRunning && terminal.info.owner === "agent" && <TakeOver id={id} live={live} />}
        <IconButton icon={Search} name="Search (Ctrl Shift F)" onClick={props.onSearch} />
        <IconButton
          icon={ArrowDownToLine}
          name="Back to live"
          onClick={() => live?.goToEnd()}
          className="max-sm:hidden"
        />
        <IconButton icon={History} name="Commands" className={isAlone ? "xl:hidden" : ""} onClick={props.onCommands} />
        <PaneMenu {...props} isRunning={isRunning} canOperate={canOperate} />
        {!isAlone && <IconButton icon={X} name="Close this pane" onClick={props.onRemove} />}
      </div>
    </header>
  );
}

function statusWords(connection: ConnectionState, exit: { code: number | null } | null, typing: Typing | null): string {
  if (exit) return exit.code === null ? "Ended" : `Ended with code ${exit.code}`;
  if (connection.status === "lost") return "Connection lost, trying again …";
  if (connection.status !== "live") return "Connecting …";
  if (typing?.pen?.isYou) return "You’re typing";
  return typing?.canType ? "Live" : "Live, read-only";
}
