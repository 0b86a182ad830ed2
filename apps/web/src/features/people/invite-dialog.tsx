"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { FormDialog, ResultDialog } from "@/ui/dialogs/form-dialog.tsx";
import { RolePicker } from "./role-picker.tsx";

/** A link that creates one account, to be sent over a channel that both trust. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [days, setDays] = useState("7");
  const [role, setRole] = useState<"viewer" | "operator" | "admin">("operator");
  const invite = useMutation(
    trpc.people.invite.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.people.invitations.queryFilter()),
    }),
  );
  if (invite.data)
    return (
      <ResultDialog title="Send them this link" onClose={onClose}>
        <p className="text-sm text-muted">
          It creates one account with the role {invite.data.role}
          {invite.data.email ? ` for ${invite.data.email}` : ""} and works once. It is not shown again.
        </p>
        <Copyable label="the link" text={invite.data.link} />
      </ResultDialog>
    );
  return (
    <FormDialog
      title="Invite a person"
      submitLabel="Make the link"
      isPending={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate({ role, days: Number(days), email: email.trim() || null })}
      onClose={onClose}
    >
      <RolePicker value={role} onChange={setRole} />
      <Field
        label="Address"
        type="email"
        placeholder="Anyone with the link"
        hint="With an address, the link can only create an account for it."
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Days that the link works"
        type="number"
        min={1}
        max={30}
        required
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
    </FormDialog>
  );
}
