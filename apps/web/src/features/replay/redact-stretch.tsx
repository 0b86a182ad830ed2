"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { formatExactClock } from "./format-clock.ts";

/** Blanks the output between two moments: go to the first, then to the last, then give a reason. */
export function RedactStretch({ id, timeMs, onRedacted }: { id: TerminalId; timeMs: number; onRedacted(): void }) {
  const [fromMs, setFromMs] = useState<number | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const redact = useMutation(
    useTRPC().recordings.redact.mutationOptions({
      onSuccess: ({ bytes }) => {
        setIsOpen(false);
        setFromMs(null);
        toast(`${bytes.toLocaleString()} bytes are blank now.`);
        onRedacted();
      },
    }),
  );
  const stretch = fromMs === null ? null : { fromMs: Math.min(fromMs, timeMs), toMs: Math.max(fromMs, timeMs) };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-raised px-3 pb-2 text-xs text-muted">
      {stretch === null ? (
        <>
          <span className="flex-1">A secret that it shows can be blanked.</span>
          <Button look="plain" size="small" onClick={() => setFromMs(timeMs)}>
            Redact from here …
          </Button>
        </>
      ) : (
        <>
          <span className="flex-1">
            From {formatExactClock(stretch.fromMs)}. Now go to where it ends: {formatExactClock(stretch.toMs)}.
          </span>
          <Button look="plain" size="small" onClick={() => setFromMs(null)}>
            Cancel
          </Button>
          <Button look="danger-quiet" size="small" onClick={() => setIsOpen(true)}>
            Redact to here
          </Button>
          <Confirm
            title="Blank this stretch of the recording?"
            verb="Blank it"
            isOpen={isOpen}
            isBusy={redact.isPending || reason.trim().length < 3}
            problem={redact.error?.message ?? null}
            onConfirm={() => redact.mutate({ id, ...stretch, reason })}
            onClose={() => setIsOpen(false)}
          >
            <p>
              Everything printed between {formatExactClock(stretch.fromMs)} and {formatExactClock(stretch.toMs)} becomes
              blanks, with the words of commands that began there, and is no longer found by the search. It can’t be
              undone; who did it and why is on record. The rows about these commands are redacted in the audit. Exports,
              backups, and files with whole outputs that agents were given are not reached.
            </p>
            <Field
              label="Why"
              className="mt-2"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Confirm>
        </>
      )}
    </div>
  );
}
