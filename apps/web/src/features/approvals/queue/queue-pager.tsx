"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "@/ui/controls/icon-button.tsx";

/** The position in the queue, for screens that are too small for the list. */
export function QueuePager({
  at,
  of,
  onPrevious,
  onNext,
}: {
  at: number;
  of: number;
  onPrevious(): void;
  onNext(): void;
}) {
  if (of < 2) return null;
  return (
    <div className="ml-auto flex items-center lg:hidden">
      <IconButton icon={ChevronLeft} name="Previous" disabled={at === 0} onClick={onPrevious} />
      <p className="text-sm text-muted tabular-nums">
        {at + 1} of {of}
      </p>
      <IconButton icon={ChevronRight} name="Next" disabled={at === of - 1} onClick={onNext} />
    </div>
  );
}
