"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { later } from "@/ui/later/later.tsx";
import { useFirstScreenHold } from "@/ui/later/use-first-screen.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { KeyRow } from "../screen/key-row.tsx";
import type { LiveTerminal } from "../screen/live-terminal.ts";
import { SearchBar } from "../screen/search-bar.tsx";
import type { ConnectionState, PenRequest, Typing } from "../screen/terminal-stream.ts";
import { XtermLater } from "../screen/xterm-later.tsx";
import { useStored } from "../use-stored.ts";
import { PaneHeader } from "./pane-header.tsx";
import { PenBar } from "./pen-bar.tsx";
import { Ports } from "./ports.tsx";
import { Timeline } from "./timeline.tsx";
import { TimelineSheet } from "./timeline-sheet.tsx";

// Most visits show neither a waiting command nor a question of a program.
const WaitingHere = later(() => import("@/features/approvals/waiting-here.tsx").then(({ WaitingHere }) => WaitingHere));
const LendAnswer = later(() => import("./lend-answer.tsx").then(({ LendAnswer }) => LendAnswer));

/** One terminal with everything that belongs to it. */
export function TerminalPane(props: {
  id: TerminalId;
  isAlone: boolean;
  canAdd: boolean;
  shown: readonly TerminalId[];
  /** The byte of its output to begin at; null: the current screen. */
  startAt: number | null;
  onAdd(id: TerminalId): void;
  onRemove(): void;
}) {
  const { id, isAlone } = props;
  const { canOperate } = useMe();
  const approvals = useQuery(useTRPC().approvals.list.queryOptions({ state: "pending" }));
  const waitingHere = approvals.data?.find(({ subject }) => subject.terminalId === id) ?? null;
  const [terminal, setTerminal] = useState<{ info: TerminalInfo; typing: Typing } | null>(null);
  const [penRequest, setPenRequest] = useState<PenRequest | null>(null);
  const [newLines, setNewLines] = useState<number | null>(null);
  const pane = useRef<HTMLElement>(null);
  const [connection, setConnection] = useState<ConnectionState>({ status: "connecting" });
  const [exit, setExit] = useState<{ code: number | null } | null>(null);
  const [live, setLive] = useState<LiveTerminal | null>(null);
  const [isSearching, setIsSearching] = useState(false);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const [screenReader, setScreenReader] = useStored("belay-screen-reader", "off");
  const isForScreenReader = screenReader === "on";
  const { startAt } = props;
  const isLive = connection.status === "live";
  const [hasPicture, setHasPicture] = useState(false);
  useFirstScreenHold(!hasPicture && (connection.status === "connecting" || isLive));
  useEffect(() => {
    if (isLive && startAt !== null) live?.goTo(startAt);
  }, [isLive, startAt, live]);

  if (connection.status === "refused")
    return (
      <div>
        <h1 className="sr-only">Terminal {id}</h1>
        <Failure message={connection.message} />
      </div>
    );
  const jump = (position: number) => live?.goTo(position);
  const isHolder = terminal?.typing.pen?.isYou === true && exit === null;
  const wants =
    terminal?.info.owner === "agent" && terminal.info.activity.kind === "busy" ? terminal.info.activity.wants : null;
  return (
    <section
      ref={pane}
      aria-label={`Terminal ${id}`}
      className="flex min-h-0 min-w-0 flex-col border-line not-last:border-r"
    >
      <PaneHeader
        {...props}
        terminal={terminal}
        connection={connection}
        exit={exit}
        live={live}
        isForScreenReader={isForScreenReader}
        onScreenReader={() => setScreenReader(isForScreenReader ? "off" : "on")}
        onSearch={() => setIsSearching(true)}
        onCommands={() => setIsSheetOpen(true)}
      />
      {isSearching && live && (
        <SearchBar
          search={live.search}
          onClose={() => {
            live.search.find("", "next");
            setIsSearching(false);
          }}
        />
      )}
      {terminal && exit === null && (
        <PenBar id={id} {...terminal} live={live} request={penRequest} onRequestSettled={() => setPenRequest(null)} />
      )}
      {terminal?.info.wall && exit === null && (
        <Ports id={id} className="border-b border-line bg-raised px-2 py-1.5 empty:hidden sm:px-4" />
      )}
      {(wants === "secret" || wants === "input") && canOperate && exit === null && (
        <LendAnswer key={wants} id={id} isSecret={wants === "secret"} />
      )}
      <div className="flex min-h-0 flex-1">
        <div className="relative flex min-h-40 min-w-0 flex-1 short:min-h-0 flex-col bg-screen">
          <div className="min-h-0 flex-1 overflow-auto p-2">
            <XtermLater
              id={id}
              isForScreenReader={isForScreenReader}
              onTerminal={(info, typing) => setTerminal({ info, typing })}
              onPenAsked={setPenRequest}
              onConnection={setConnection}
              onExit={(code) => setExit({ code })}
              onPicture={() => setHasPicture(true)}
              onScrolledBack={setNewLines}
              onShortcut={(shortcut) => {
                if (shortcut === "search") setIsSearching(true);
                else pane.current?.querySelector<HTMLElement>("header a, header button")?.focus();
              }}
              onOpened={setLive}
            />
          </div>
          {newLines !== null && (
            <button
              type="button"
              onClick={() => live?.goToEnd()}
              className="absolute right-4 bottom-4 z-10 inline-flex h-10 cursor-pointer items-center gap-2 rounded-full border border-edge bg-raised px-4 text-sm font-medium shadow-lg"
            >
              <ArrowDown aria-hidden className="size-4" />
              Back to live{newLines > 0 && `, ${newLines} new ${newLines === 1 ? "line" : "lines"}`}
            </button>
          )}
          {isHolder && (
            <p className="hidden border-t border-white/10 px-3 py-1 text-xs text-[#98a3a9] pointer-fine:block">
              <kbd className="font-mono">Ctrl Shift L</kbd> leaves the terminal ·{" "}
              <kbd className="font-mono">Ctrl Shift F</kbd> searches · <kbd className="font-mono">Ctrl Shift K</kbd>{" "}
              goes anywhere
            </p>
          )}
        </div>
        {isAlone && (
          <aside
            aria-label="Commands"
            className="hidden w-72 shrink-0 overflow-y-auto border-l border-line bg-raised xl:block"
          >
            <Timeline id={id} onJump={jump} />
          </aside>
        )}
      </div>
      {isHolder && live && <KeyRow live={live} />}
      {waitingHere && exit === null && <WaitingHere key={waitingHere.id} approval={waitingHere} />}
      <TimelineSheet id={id} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} onJump={jump} />
    </section>
  );
}
