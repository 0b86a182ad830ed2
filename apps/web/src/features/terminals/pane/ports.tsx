"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";

/** The kernel reports no changes, so it is polled. */
const LOOK_EVERY_MS = 4000;

/** What programs in a terminal listen on; each can be shown in a tab of this browser. Renders nothing if there is none. */
export function Ports({ id, className = "" }: { id: TerminalId; className?: string }) {
  const trpc = useTRPC();
  const { canOperate } = useMe();
  const [isBlocked, setIsBlocked] = useState(false);
  const ports = useQuery({ ...trpc.terminals.ports.queryOptions({ id }), refetchInterval: LOOK_EVERY_MS });
  const open = useMutation(trpc.terminals.openPort.mutationOptions());
  if (!ports.data || ports.data.length === 0) return null;
  const show = (port: number) => {
    // At once, within the click: browsers block a tab that opens later.
    const tab = window.open("about:blank", "_blank");
    setIsBlocked(tab === null);
    if (tab === null) return;
    tab.opener = null;
    open.mutate({ id, port }, { onSuccess: ({ url }) => tab.location.replace(url), onError: () => tab.close() });
  };
  return (
    <div className={`text-sm ${className}`}>
      <ul aria-label="Ports" className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {ports.data.map(({ port, program, closedBecause }) => (
          <li key={port} className="flex min-w-0 flex-wrap items-center gap-x-2">
            <span>
              Listens on <span className="font-mono">{port}</span> <span className="text-muted">({program})</span>
            </span>
            {closedBecause !== null ? (
              <span className="text-muted">{closedBecause}</span>
            ) : (
              canOperate && (
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`Open port ${port}`}
                  disabled={open.isPending}
                  onClick={() => show(port)}
                >
                  <ExternalLink aria-hidden className="size-4" />
                  Open
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {(isBlocked || open.error) && (
        <p role="alert" className="mt-1 text-danger">
          {isBlocked ? "Your browser blocked the new tab. Allow pop-ups for this page." : open.error?.message}
        </p>
      )}
    </div>
  );
}
