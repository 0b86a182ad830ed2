"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { Field } from "@/ui/field.tsx";
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
      <Dialog title={`${add.data.name} is ready to connect`} isOpen wide onClose={onClose}>
        <TokenOnce agentId={add.data.id} token={add.data.token} />
        <div className="mt-5 flex justify-end">
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="New agent" isOpen onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ name: name.trim(), ...choicesOf(form) });
        }}
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
        {add.error && (
          <p role="alert" className="mt-3 text-sm text-danger">
            {add.error.message}
          </p>
        )}
        <div className="mt-5 flex flex-row-reverse gap-2">
          <Button type="submit" disabled={add.isPending}>
            Create
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
