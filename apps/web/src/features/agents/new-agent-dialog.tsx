"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { ResultDialog } from "@/ui/dialogs/form-dialog.tsx";
import { NewNamedDialog } from "@/ui/dialogs/new-named-dialog.tsx";
import { AgentFields, choicesOf, NEW_AGENT } from "./agent-fields.tsx";
import { TokenOnce } from "./token-once.tsx";

/** Makes an agent, shows its token once, and waits for its first call. */
export function NewAgentDialog({ onClose, onAdded }: { onClose(): void; onAdded(id: string): void }) {
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
    <NewNamedDialog
      title="New agent"
      submitLabel="Create"
      isPending={add.isPending}
      error={add.error}
      onSubmit={(name) => add.mutate({ name, ...choicesOf(form) })}
      onClose={onClose}
    >
      <AgentFields form={form} onChange={(changes) => setForm((before) => ({ ...before, ...changes }))} />
    </NewNamedDialog>
  );
}
