"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { useEffect, useState } from "react";
import { Card } from "@/ui/card.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { describeActivity } from "./overview/activity.ts";
import { StateWords } from "./overview/state-words.tsx";
import type { ConnectionState } from "./screen/terminal-stream.ts";
import { XtermLater } from "./screen/xterm-later.tsx";
import { parseTerminalId } from "./terminal-id.ts";

// It starts loading with this page, in parallel with the page's data.
if (typeof window !== "undefined") XtermLater.load();

/** The page of a share link: one terminal, read-only, for a person without an account. */
export function SharedTerminal() {
  const [link, setLink] = useState<{ id: TerminalId; token: string } | "broken" | null>(null);
  const [info, setInfo] = useState<TerminalInfo | null>(null);
  const [connection, setConnection] = useState<ConnectionState>({ status: "connecting" });
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => setLink(parseLink(window.location.hash)), []);

  if (link === null) return <Loading what="the terminal" />;
  if (link === "broken") return <Gone message="This link is not complete. Copy all of it and try again." />;
  if (connection.status === "refused") return <Gone message={connection.message} />;
  return (
    <main className="flex h-dvh flex-col">
      <header className="flex min-h-12 items-center gap-3 border-b border-line bg-raised px-4 text-sm">
        <span className="font-mono font-semibold tracking-tight text-accent">belay</span>
        <h1 className="truncate font-medium">Shared terminal</h1>
        {info && <StateWords words={describeActivity(info)} />}
        <span role="status" className="ml-auto shrink-0 text-muted">
          {hasEnded ? "Ended" : connection.status === "live" ? "Live, read-only" : "Connecting …"}
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-auto bg-screen p-2">
        <XtermLater
          id={link.id}
          token={link.token}
          isForScreenReader={false}
          onTerminal={setInfo}
          onPenAsked={() => {}}
          onScrolledBack={() => {}}
          onShortcut={() => {}}
          onConnection={setConnection}
          onExit={() => setHasEnded(true)}
          onPicture={() => {}}
          onOpened={() => {}}
        />
      </div>
    </main>
  );
}

/** In the fragment, so that it never reaches a server's log. */
function parseLink(hash: string): { id: TerminalId; token: string } | "broken" {
  const [, text, token] = /^#([^.]+)\.(\S+)$/.exec(hash) ?? [];
  const id = parseTerminalId(text);
  return id && token ? { id, token } : "broken";
}

function Gone({ message }: { message: string }) {
  return (
    <Card title="Nothing to see here">
      <p className="text-sm text-muted">{message}</p>
    </Card>
  );
}
