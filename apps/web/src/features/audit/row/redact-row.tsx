"use client";

import type { ChainPlace } from "@belay/agent-gateway/router";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Choices } from "@/ui/choices.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { Field } from "@/ui/field.tsx";
import { toast } from "@/ui/toast.tsx";

/** Erases a secret from the record. That it was done, by whom and why, takes its place. */
export function RedactRow({ place: { event, redaction } }: { place: ChainPlace }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [scope, setScope] = useState<"command" | "row">(event.commandId ? "command" : "row");
  const redact = useMutation(
    trpc.audit.redact.mutationOptions({
      onSuccess: ({ rows }) => {
        setIsOpen(false);
        toast(`${rows} ${rows === 1 ? "row is" : "rows are"} redacted.`);
        return queryClient.invalidateQueries(trpc.audit.pathFilter());
      },
    }),
  );
  if (redaction !== null || event.type.startsWith("audit.")) return null;
  const what = scope === "command" && event.commandId ? { commandId: event.commandId } : { seq: event.seq };
  return (
    <section className="mt-5 flex items-center justify-between gap-4 border-t border-line pt-4">
      <p className="text-sm text-muted">A secret in it can be erased; the chain keeps the proof.</p>
      <Button look="danger-quiet" size="small" onClick={() => setIsOpen(true)}>
        Redact
      </Button>
      <Confirm
        title="Erase this from the record?"
        verb="Erase it"
        isOpen={isOpen}
        isBusy={redact.isPending || reason.trim().length < 3}
        problem={redact.error?.message ?? null}
        onConfirm={() => redact.mutate({ what, reason })}
        onClose={() => setIsOpen(false)}
      >
        {event.commandId && (
          <Choices
            legend="What to erase"
            choices={[
              { value: "command", label: "Everything about the command" },
              { value: "row", label: "Only this row" },
            ]}
            value={scope}
            onChange={setScope}
          />
        )}
        <Field
          label="Why"
          className="mt-2"
          maxLength={500}
          hint="It stays on record beside your name. Don’t repeat the secret."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <p>
          It cannot be undone. Recordings, exports, backups and files with whole outputs that agents were given are not
          reached: redact the recording on its replay, and change the secret.
        </p>
      </Confirm>
    </section>
  );
}
