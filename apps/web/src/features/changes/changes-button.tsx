"use client";

import type { CommandId } from "@belay/protocol";
import { FilePenLine } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { later } from "@/ui/later/later.tsx";
import { Loading } from "@/ui/states/loading.tsx";

const ChangesView = later(() => import("./changes-view.tsx").then(({ ChangesView }) => ChangesView), {
  loading: () => <Loading what="the changes" />,
});

/** A summary of what a command changed, which opens the diff and the undo. Renders nothing if it changed nothing. */
export function ChangesButton({
  commandId,
  words,
  className = "",
}: {
  commandId: CommandId;
  words: string | null;
  className?: string;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (!words) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className={`inline-flex cursor-pointer items-center gap-1.5 rounded px-1 py-0.5 text-left text-xs text-accent underline-offset-4 hover:underline pointer-coarse:min-h-11 ${className}`}
      >
        <FilePenLine aria-hidden className="size-3.5 shrink-0" />
        {words}
      </button>
      <Dialog title="What it changed" isOpen={isOpen} onClose={() => setIsOpen(false)} wide>
        {isOpen && <ChangesView commandId={commandId} />}
      </Dialog>
    </>
  );
}
