"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { Failure } from "@/ui/failure.tsx";
import { Loading } from "@/ui/loading.tsx";
import { LendAnswer } from "./lend-answer.tsx";
import { PaneHeader } from "./pane-header.tsx";
import { SearchBar } from "./search-bar.tsx";
import type { TerminalSession } from "./terminal-session.ts";
import type { ConnectionState } from "./terminal-stream.ts";
import { Timeline } from "./timeline.tsx";
import { TimelineSheet } from "./timeline-sheet.tsx";
import { useStored } from "./use-stored.ts";

// xterm.js is heavy and needs the browser: it loads when a terminal is opened.
const XtermView = dynamic(() => import("./xterm-view.tsx").then(({ XtermView }) => XtermView), {
  ssr: false,
  loading: () => <Loading what="the terminal" />,
});

/** One terminal with everything that belongs to it. */
export function TerminalPane(props: {
  id: TerminalId;
  isAlone: boolean;
  canAdd: boolean;
  shown: readonly TerminalId[];
  onAdd(id: TerminalId): void;
  onRemove(): void;
}) {
  const { id, isAlone } = props;
  const { canOperate } = useMe();
  const [terminal, setTerminal] = useState<{ info: TerminalInfo; canType: boolean } | null>(null);
  const [connection, setConnection] = useState<ConnectionState>({ status: "connecting" });
  const [exit, setExit] = useState<{ code: number | null } | null>(null);
  const [session, setSession] = useState<TerminalSession | null>(null);
  const [isSearching, setIsSearching] = useState(false);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const [screenReader, setScreenReader] = useStored("belay-screen-reader", "off");
  const isForScreenReader = screenReader === "on";

  if (connection.status === "refused")
    return (
      <div>
        <h1 className="sr-only">Terminal {id}</h1>
        <Failure message={connection.message} />
      </div>
    );
  const jump = (position: number) => session?.goTo(position);
  const asksSecret =
    terminal?.info.owner === "agent" &&
    terminal.info.activity.kind === "busy" &&
    terminal.info.activity.wants === "secret";
  return (
    <section aria-label={`Terminal ${id}`} className="flex min-h-0 min-w-0 flex-col border-line not-last:border-r">
      <PaneHeader
        {...props}
        terminal={terminal}
        connection={connection}
        exit={exit}
        session={session}
        isForScreenReader={isForScreenReader}
        onScreenReader={() => setScreenReader(isForScreenReader ? "off" : "on")}
        onSearch={() => setIsSearching(true)}
        onCommands={() => setIsSheetOpen(true)}
      />
      {isSearching && session && (
        <SearchBar
          session={session}
          onClose={() => {
            session.find("", "next");
            setIsSearching(false);
          }}
        />
      )}
      {asksSecret && canOperate && <LendAnswer id={id} />}
      <div className="flex min-h-0 flex-1">
        <div className="min-h-72 min-w-0 flex-1 overflow-auto bg-screen p-2">
          <XtermView
            id={id}
            isForScreenReader={isForScreenReader}
            onTerminal={(info, canType) => setTerminal({ info, canType })}
            onConnection={setConnection}
            onExit={(code) => setExit({ code })}
            onSession={setSession}
          />
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
      <TimelineSheet id={id} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} onJump={jump} />
    </section>
  );
}
