"use client";

import type { TerminalId } from "@belay/protocol";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { Failure } from "@/ui/states/failure.tsx";
import { onTerminalPage } from "./load-early.tsx";
import { TerminalPane } from "./pane/terminal-pane.tsx";
import { idsInAddress, MOST_PANES } from "./terminal-id.ts";

/** One terminal, or up to four side by side. */
export function TerminalPage() {
  const router = useRouter();
  const search = useSearchParams();
  const at = Number(search.get("at") ?? Number.NaN);
  const panes = idsInAddress(search);
  useEffect(() => onTerminalPage(), []);
  const show = (wanted: readonly TerminalId[]) =>
    router.replace(`/terminal?${wanted.map((id) => `id=${id}`).join("&")}`);

  if (panes.length === 0) return <Failure message="This link doesn’t name a terminal. Open one from the list." />;
  return (
    <main
      className={`grid flex-1 ${panes.length > 1 ? "max-lg:auto-rows-[max(18rem,70dvh)] lg:min-h-0 lg:auto-rows-[minmax(16rem,1fr)] lg:grid-cols-2" : "min-h-64 grid-rows-[minmax(0,1fr)] max-lg:h-[calc(100dvh-7rem)] max-lg:flex-none lg:min-h-0 short:max-lg:h-[calc(100dvh-6rem)]"}`}
    >
      {panes.map((id) => (
        <TerminalPane
          key={id}
          id={id}
          isAlone={panes.length === 1}
          canAdd={panes.length < MOST_PANES}
          shown={panes}
          startAt={panes.length === 1 && Number.isSafeInteger(at) && at >= 0 ? at : null}
          onAdd={(added) => show([...panes, added])}
          onRemove={() => show(panes.filter((other) => other !== id))}
        />
      ))}
    </main>
  );
}
