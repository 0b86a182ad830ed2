"use client";

import type { ChainPlace } from "@belay/agent-gateway/router";
import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { Switch } from "@/ui/controls/switch.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { toast } from "@/ui/states/toast.tsx";

/** Erases a secret from the record, and records who did it and why in its place. */
export function RedactRow({ place: { event, redaction } }: { place: ChainPlace }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [scope, setScope] = useState<"command" | "row">(event.commandId ? "command" : "row");
  const redact = useMutation(
    trpc.audit.redact.mutationOptions({
      onSuccess: ({ rows, forgottenHistory }) => {
        setIsOpen(false);
        const words = `${rows} ${rows === 1 ? "row is" : "rows are"} redacted.`;
        toast(forgottenHistory ? `${words} The undo history of ${forgottenHistory} is deleted.` : words);
        return queryClient.invalidateQueries(trpc.audit.pathFilter());
      },
    }),
  );
  const [forgetsHistory, setForgetsHistory] = useState(false);
  const changed = useQuery(
    trpc.changes.of.queryOptions(event.commandId && isOpen ? { commandId: event.commandId } : skipToken, {
      retry: false,
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
        onConfirm={() => redact.mutate({ what, reason, forgetsHistory: forgetsHistory && "commandId" in what })}
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
        {scope === "command" && changed.data && (
          <Switch
            label="Delete the undo history, too"
            hint="It keeps files of the workspace as they were. What was changed there until now can’t be undone any more."
            isOn={forgetsHistory}
            onChange={setForgetsHistory}
          />
        )}
        <p>It can’t be undone. These places may still have the secret:</p>
        <ul className="list-disc pl-5">
          <li>the recording: redact it on its replay</li>
          {!(forgetsHistory && scope === "command") && <li>the undo history of the workspace</li>}
          <li>files in the workspace, and what an open shell keeps in its variables</li>
          <li>exports, backups, and files with whole outputs that agents were given</li>
          {scope === "row" && event.commandId && <li>the other rows about this command</li>}
        </ul>
        <p>Change the secret.</p>
      </Confirm>
    </section>
  );
}
