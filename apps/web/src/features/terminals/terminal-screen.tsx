"use client";

import { TerminalId, type TerminalInfo } from "@belay/protocol";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { Failure } from "@/ui/failure.tsx";
import { Loading } from "@/ui/loading.tsx";
import { TerminalActions } from "./terminal-actions.tsx";
import type { ConnectionState } from "./terminal-stream.ts";
import { useScreenReader } from "./use-screen-reader.ts";

// xterm.js is heavy and needs the browser: it loads when a terminal is opened.
const XtermView = dynamic(() => import("./xterm-view.tsx").then(({ XtermView }) => XtermView), {
  ssr: false,
  loading: () => <Loading what="the terminal" />,
});

export function TerminalScreen() {
  const id = TerminalId.safeParse(useSearchParams().get("id"));
  const [terminal, setTerminal] = useState<{ info: TerminalInfo; canType: boolean } | null>(null);
  const [connection, setConnection] = useState<ConnectionState>({ status: "connecting" });
  const [isForScreenReader, toggleScreenReader] = useScreenReader();
  const [exit, setExit] = useState<{ code: number | null } | null>(null);

  if (!id.success) return <Failure message="This address names no terminal. Open one from the list of terminals." />;
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm sm:px-6">
        <Link href="/" className="text-muted underline-offset-4 hover:text-ink hover:underline">
          Terminals
        </Link>
        <h1 className="font-mono">{terminal?.info.name ?? id.data}</h1>
        <span className="truncate font-mono text-xs text-muted">{terminal?.info.cwd}</span>
        <span role="status" className="ml-auto text-muted">
          {statusWords(connection, exit, terminal?.canType ?? false)}
        </span>
        {terminal && <TerminalActions terminal={terminal.info} />}
        <button
          type="button"
          aria-pressed={isForScreenReader}
          onClick={toggleScreenReader}
          className="cursor-pointer text-muted underline-offset-4 hover:text-ink hover:underline"
        >
          Screen reader {isForScreenReader ? "on" : "off"}
        </button>
      </div>
      {connection.status === "refused" ? (
        <Failure message={connection.message} />
      ) : (
        <div className="min-h-96 flex-1 overflow-auto bg-[#0a0c0e] p-2">
          <XtermView
            id={id.data}
            isForScreenReader={isForScreenReader}
            onTerminal={(info, canType) => setTerminal({ info, canType })}
            onConnection={setConnection}
            onExit={(code) => setExit({ code })}
          />
        </div>
      )}
    </main>
  );
}

function statusWords(connection: ConnectionState, exit: { code: number | null } | null, canType: boolean): string {
  if (exit) return exit.code === null ? "ended" : `ended with code ${exit.code}`;
  if (connection.status === "lost") return "connection lost, trying again …";
  if (connection.status !== "live") return "connecting …";
  return canType ? "live, you hold the pen" : "live, read-only";
}
