"use client";

import type { ChainPlace as Place } from "@belay/agent-gateway/router";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useActorName } from "../actor-name.ts";
import { formatRow } from "../format-row.ts";

/** The row's own hash, the previous one, and the signature that covers both. */
export function ChainPlace({ place: { event, previousHash, checkpoint, redaction } }: { place: Place }) {
  const nameOf = useActorName();
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      <dt className="text-muted">Row</dt>
      <dd className="tabular-nums">{formatRow(event.seq)}</dd>
      <dt className="text-muted">Follows</dt>
      <dd className="font-mono text-xs leading-6 break-all">{previousHash ?? "a row that was sealed and removed"}</dd>
      <dt className="text-muted">Its hash</dt>
      <dd className="font-mono text-xs leading-6 break-all">{event.hash}</dd>
      <dt className="text-muted">Signed</dt>
      <dd>
        {checkpoint === null
          ? "not yet: the next signature covers it"
          : `with row ${formatRow(checkpoint.seq)}, ${formatMoment(checkpoint.at)}`}
      </dd>
      {redaction && (
        <>
          <dt className="text-muted">Redacted</dt>
          <dd>
            by {nameOf(redaction.actor)}, {formatMoment(redaction.at)}: {String(redaction.detail.reason)} (row{" "}
            {formatRow(redaction.seq)})
          </dd>
        </>
      )}
    </dl>
  );
}
