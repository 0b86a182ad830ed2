"use client";

import { useNow } from "../use-now.ts";
import { formatAge, formatMoment } from "./activity.ts";

/** How long ago something was, with the exact moment as a tooltip. */
export function Age({ at, suffix = "", className = "" }: { at: number; suffix?: string; className?: string }) {
  const now = useNow();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatMoment(at)}
      className={`shrink-0 tabular-nums ${className}`}
    >
      {formatAge(now - at)}
      {suffix}
    </time>
  );
}
