"use client";

import { formatAge, formatMoment } from "@/features/terminals/overview/activity.ts";
import { useNow } from "@/features/terminals/use-now.ts";

const SOON_MS = 30_000;

/** The time left. The bar fills up towards the end and is announced only then. Paused while frozen. */
export function Countdown({
  createdAt,
  expiresAt,
  isFrozen,
}: {
  createdAt: number;
  expiresAt: number;
  isFrozen: boolean;
}) {
  const now = useNow();
  if (isFrozen) return <span className="text-muted">on hold while frozen</span>;
  const leftMs = Math.max(0, expiresAt - now);
  const share = Math.min(1, leftMs / Math.max(1, expiresAt - createdAt));
  const isSoon = leftMs <= SOON_MS;
  return (
    <span
      title={formatMoment(expiresAt)}
      className={`inline-flex items-center gap-2 tabular-nums ${isSoon ? "text-danger" : "text-muted"}`}
    >
      <span aria-hidden className="h-1 w-14 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${isSoon ? "bg-danger" : "bg-muted"}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      expires in {formatAge(leftMs)}
    </span>
  );
}
