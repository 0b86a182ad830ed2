"use client";

import type { TerminalId } from "@belay/protocol";
import { useEffect, useRef } from "react";
import "@xterm/xterm/css/xterm.css";
import { type SessionHandlers, TerminalSession } from "./terminal-session.ts";

interface Props extends SessionHandlers {
  id: TerminalId;
  token?: string | null;
  isForScreenReader: boolean;
  /** A handle for search, copy and jumps; null once it is closed. */
  onSession(session: TerminalSession | null): void;
}

/** One effect: open a session on an element, close it. */
export function XtermView({ id, token = null, isForScreenReader, ...handlers }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let session: TerminalSession | null = null;
    let isGone = false;
    const options = { id, token, isForScreenReader };
    void TerminalSession.open(element, options, {
      onTerminal: (info, typing) => latest.current.onTerminal(info, typing),
      onPenAsked: (request) => latest.current.onPenAsked(request),
      onScrolledBack: (newLines) => latest.current.onScrolledBack(newLines),
      onShortcut: (shortcut) => latest.current.onShortcut(shortcut),
      onConnection: (state) => latest.current.onConnection(state),
      onExit: (exitCode) => latest.current.onExit(exitCode),
    }).then((opened) => {
      if (isGone) return opened.close();
      session = opened;
      latest.current.onSession(opened);
    });
    return () => {
      isGone = true;
      session?.close();
      latest.current.onSession(null);
    };
  }, [id, token, isForScreenReader]);

  return <div ref={host} data-testid="terminal" className="h-full w-full" />;
}
