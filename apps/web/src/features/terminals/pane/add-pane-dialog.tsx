"use client";

import type { TerminalId } from "@belay/protocol";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { StateWords } from "../overview/state-words.tsx";
import { useTerminals } from "../overview/use-terminals.ts";

/** Chooses another terminal to show beside the open ones. */
export function AddPaneDialog({
  shown,
  onClose,
  onAdd,
}: {
  shown: readonly TerminalId[];
  onClose(): void;
  onAdd(id: TerminalId): void;
}) {
  const { views } = useTerminals();
  const others = views?.filter(({ info }) => !shown.includes(info.id)) ?? [];
  return (
    <Dialog title="Open beside it" isOpen onClose={onClose}>
      {others.length === 0 && <p className="text-sm text-muted">There is no other terminal.</p>}
      <ul className="-mx-2">
        {others.map(({ info, words, agent }) => (
          <li key={info.id}>
            <button
              type="button"
              onClick={() => {
                onClose();
                onAdd(info.id);
              }}
              className="w-full cursor-pointer rounded-md px-2 py-2 text-left hover:bg-sunken"
            >
              <span className="flex items-baseline gap-2">
                <span className="font-medium">{agent ?? "A person"}</span>
                <span className="truncate font-mono text-xs text-muted">{info.name ?? info.id}</span>
              </span>
              <StateWords words={words} className="text-sm" />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
