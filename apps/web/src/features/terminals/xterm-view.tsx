"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { FitAddon } from "@xterm/addon-fit";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import { useEffect, useRef } from "react";
import "@xterm/xterm/css/xterm.css";
import { type ConnectionState, TerminalStream } from "./terminal-stream.ts";

interface Props {
  id: TerminalId;
  isForScreenReader: boolean;
  onTerminal(info: TerminalInfo, canType: boolean): void;
  onConnection(state: ConnectionState): void;
  onExit(exitCode: number | null): void;
}

/** One effect: mount xterm, start the stream, dispose both. */
export function XtermView({ id, isForScreenReader, onTerminal, onConnection, onExit }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onTerminal, onConnection, onExit });
  handlers.current = { onTerminal, onConnection, onExit };

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let dispose: (() => void) | null = null;
    let isGone = false;
    void openTerminal(element, isForScreenReader).then((terminal) => {
      if (isGone) return terminal.dispose();
      dispose = connect(terminal, id, handlers.current);
    });
    return () => {
      isGone = true;
      dispose?.();
    };
  }, [id, isForScreenReader]);

  return <div ref={host} data-testid="terminal" className="h-full w-full" />;
}

async function openTerminal(element: HTMLElement, screenReaderMode: boolean): Promise<Terminal> {
  // A canvas does not resolve CSS variables, and measures a font that is not loaded wrongly.
  const fontFamily = getComputedStyle(document.documentElement).getPropertyValue("--font-geist-mono") || "monospace";
  await document.fonts.load(`13px ${fontFamily}`).catch(() => {});
  const terminal = new Terminal({
    fontFamily: `${fontFamily}, monospace`,
    fontSize: 13,
    lineHeight: 1.25,
    scrollback: 10_000,
    cursorBlink: false,
    disableStdin: true,
    theme: { background: "#0a0c0e", foreground: "#e8eaeb", cursor: "#4fd1b0", selectionBackground: "#2f5148" },
    screenReaderMode,
  });
  terminal.open(element);
  try {
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => webgl.dispose());
    terminal.loadAddon(webgl);
  } catch {
    // No WebGL here: xterm falls back to the DOM renderer by itself.
  }
  return terminal;
}

function connect(
  terminal: Terminal,
  id: TerminalId,
  handlers: Pick<Props, "onTerminal" | "onConnection" | "onExit">,
): () => void {
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  let isHolder = false;
  const stream = new TerminalStream({
    id,
    url: `${window.location.protocol === "https:" ? "wss" : "ws"}://${window.location.host}/ws`,
    sink: {
      write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
      reset: ({ cols, rows }) => {
        terminal.reset();
        terminal.resize(cols, rows);
      },
      gap: (missed) => terminal.write(`\r\n\x1b[7m ${missed.toLocaleString("en")} bytes are missing here \x1b[0m\r\n`),
      terminal: (info, canType) => {
        const wasHolder = isHolder;
        isHolder = canType;
        terminal.options.disableStdin = !canType;
        // A watcher sees the terminal in the size that its holder gave it.
        if (!canType) terminal.resize(info.cols, info.rows);
        else if (!wasHolder) {
          fit.fit();
          terminal.focus();
        }
        handlers.onTerminal(info, canType);
      },
      exited: (exitCode) => handlers.onExit(exitCode),
      connection: (state) => handlers.onConnection(state),
    },
  });
  terminal.onData((data) => stream.type(data));
  terminal.onResize(({ cols, rows }) => isHolder && stream.resize(cols, rows));
  const observer = new ResizeObserver(() => isHolder && fit.fit());
  if (terminal.element?.parentElement) observer.observe(terminal.element.parentElement);
  return () => {
    observer.disconnect();
    stream.stop();
    terminal.dispose();
  };
}
