"use client";

import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/ui/controls/button.tsx";
import { KeyHint } from "@/ui/controls/kbd.tsx";

/** Approving cannot be undone, so a dangerous command takes a second, different key. */
export function ConfirmDangerous({
  words,
  isReady,
  hasKeys = false,
  onYes,
  onBack,
}: {
  words: string;
  isReady: boolean;
  /** Handles its own keys, because the page around it does not. */
  hasKeys?: boolean;
  onYes(): void;
  onBack(): void;
}) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasKeys) back.current?.focus();
  }, [hasKeys]);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft p-3"
      onKeyDown={(event) => {
        if (!hasKeys || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "y" && isReady) onYes();
        if (event.key !== "Escape") return;
        // Only close this confirmation: the page would also leave the edit form.
        event.stopPropagation();
        onBack();
      }}
    >
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-danger" />
      <p className="min-w-48 flex-1 text-sm">{words}</p>
      <div className="flex gap-2">
        <Button ref={back} look="quiet" onClick={onBack}>
          Back <KeyHint>esc</KeyHint>
        </Button>
        <Button look="danger" disabled={!isReady} onClick={onYes}>
          Yes, run it <KeyHint>y</KeyHint>
        </Button>
      </div>
    </div>
  );
}
