"use client";

import type { TerminalId } from "@belay/protocol";
import { useEffect, useRef } from "react";
import "@xterm/xterm/css/xterm.css";
import { LiveTerminal, type LiveTerminalHandlers } from "./live-terminal.ts";

interface Props extends LiveTerminalHandlers {
  id: TerminalId;
  token?: string | null;
  isForScreenReader: boolean;
  /** A handle for search, copy and jumps; null once it is closed. */
  onOpened(live: LiveTerminal | null): void;
}

/** One effect: open the terminal on an element, close it. */
export function XtermView({ id, token = null, isForScreenReader, ...handlers }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let live: LiveTerminal | null = null;
    let isGone = false;
    const options = { id, token, isForScreenReader };
    void LiveTerminal.open(element, options, {
      onTerminal: (info, typing) => latest.current.onTerminal(info, typing),
      onPenAsked: (request) => latest.current.onPenAsked(request),
      onScrolledBack: (newLines) => latest.current.onScrolledBack(newLines),
      onShortcut: (shortcut) => latest.current.onShortcut(shortcut),
      onConnection: (state) => latest.current.onConnection(state),
      onExit: (exitCode) => latest.current.onExit(exitCode),
      onPicture: () => latest.current.onPicture(),
    }).then((opened) => {
      if (isGone) return opened.close();
      live = opened;
      latest.current.onOpened(opened);
    });
    return () => {
      isGone = true;
      live?.close();
      latest.current.onOpened(null);
    };
  }, [id, token, isForScreenReader]);

  return <div ref={host} data-testid="terminal" className="h-full w-full" />;
}
