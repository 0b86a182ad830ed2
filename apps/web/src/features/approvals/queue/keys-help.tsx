"use client";

import { Dialog } from "@/ui/dialog.tsx";
import { Kbd } from "@/ui/kbd.tsx";

const KEYS: readonly [keys: string[], does: string][] = [
  [["j", "k"], "Next, previous"],
  [["a"], "Run it"],
  [["y"], "Yes: run a dangerous command, or all selected ones"],
  [["1", "2", "3", "4"], "Once, this terminal, 15 minutes, always"],
  [["e"], "Edit it first"],
  [["d"], "Refuse, with a message"],
  [["s"], "Select all similar ones"],
  [["J"], "Select it and the next one"],
  [["o"], "Open its terminal"],
  [["esc"], "Back"],
  [["?"], "These keys"],
];

export function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-sm">
        {KEYS.map(([keys, does]) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        Keys answer after a click into this page, or a moment after j or k. Right after a new question appears they are
        disabled briefly, so that none answers it by mistake.
      </p>
    </Dialog>
  );
}
