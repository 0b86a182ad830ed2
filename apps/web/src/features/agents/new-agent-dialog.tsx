"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Field } from "@/ui/controls/field.tsx";
import { FormDialog, ResultDialog } from "@/ui/dialogs/form-dialog.tsx";
import { AgentFields, choicesOf, NEW_AGENT } from "./agent-fields.tsx";
import { TokenOnce } from "./token-once.tsx";

/** Makes an agent, shows its token once, and waits for its first call. */
export function NewAgentDialog({ onClose, onAdded }: { onClose(): void; onAdded(id: string): void }) {
  const [name, setName] = useState("");
  const { me } = useMe();
  const [form, setForm] = useState({ ...NEW_AGENT, owner: me?.id ?? "" });
  const add = useMutation(useTRPC().agents.add.mutationOptions({ onSuccess: ({ id }) => onAdded(id) }));
  if (add.data)
    return (
      <ResultDialog title={`${add.data.name} is ready to connect`} wide onClose={onClose}>
        <TokenOnce agentId={add.data.id} token={add.data.token} />
      </ResultDialog>
    );
  return (
    <FormDialog
      title="New agent"
      submitLabel="Create"
      isPending={add.isPending}
      error={add.error}
      onSubmit={() => add.mutate({ name: name.trim(), ...choicesOf(form) })}
      onClose={onClose}
    >
      <Field
        label="Name"
        className=""
        required
        autoFocus
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <AgentFields form={form} onChange={(changes) => setForm((before) => ({ ...before, ...changes }))} />
    </FormDialog>
  );
}
