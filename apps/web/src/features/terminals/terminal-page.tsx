"use client";

import type { TerminalId } from "@belay/protocol";
import { useRouter, useSearchParams } from "next/navigation";
import { Failure } from "@/ui/failure.tsx";
import { parseTerminalId } from "./terminal-id.ts";
import { TerminalPane } from "./terminal-pane.tsx";

/** More would be too small to read. */
const MOST_PANES = 4;

/** One terminal, or up to four side by side. */
export function TerminalPage() {
  const router = useRouter();
  const ids = useSearchParams()
    .getAll("id")
    .flatMap((id) => parseTerminalId(id) ?? []);
  const panes = [...new Set(ids)].slice(0, MOST_PANES);
  const show = (wanted: readonly TerminalId[]) =>
    router.replace(`/terminal?${wanted.map((id) => `id=${id}`).join("&")}`);

  if (panes.length === 0)
    return <Failure message="This address names no terminal. Open one from the list of terminals." />;
  return (
    <main
      className={`grid min-h-0 flex-1 lg:h-dvh ${panes.length > 1 ? "max-lg:auto-rows-[70dvh] lg:grid-cols-2" : "max-lg:h-[calc(100dvh-7rem)]"}`}
    >
      {panes.map((id) => (
        <TerminalPane
          key={id}
          id={id}
          isAlone={panes.length === 1}
          canAdd={panes.length < MOST_PANES}
          shown={panes}
          onAdd={(added) => show([...panes, added])}
          onRemove={() => show(panes.filter((other) => other !== id))}
        />
      ))}
    </main>
  );
}
