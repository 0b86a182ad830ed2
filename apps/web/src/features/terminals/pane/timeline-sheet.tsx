"use client";

import type { TerminalId } from "@belay/protocol";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { Timeline } from "./timeline.tsx";

/** The timeline as a sheet, for screens without room beside the terminal. */
export function TimelineSheet({
  id,
  isOpen,
  onClose,
  onJump,
}: {
  id: TerminalId;
  isOpen: boolean;
  onClose(): void;
  onJump(position: number): void;
}) {
  return (
    <Dialog title="Commands" isOpen={isOpen} onClose={onClose}>
      <div className="-mx-5 -mb-5">
        <Timeline
          id={id}
          onJump={(position) => {
            onClose();
            onJump(position);
          }}
        />
      </div>
    </Dialog>
  );
}
