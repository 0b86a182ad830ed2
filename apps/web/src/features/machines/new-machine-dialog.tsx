"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { ResultDialog } from "@/ui/dialogs/form-dialog.tsx";
import { NewNamedDialog } from "@/ui/dialogs/new-named-dialog.tsx";

/** Makes a token for a machine, and shows once how to use it. */
export function NewMachineDialog({ onClose }: { onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const add = useMutation(
    trpc.machines.add.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.machines.list.queryFilter()),
    }),
  );
  if (add.data)
    return (
      <ResultDialog title={`Start ${add.data.name}`} wide onClose={onClose}>
        <p className="text-sm text-muted">
          On that machine, with Belay installed, in the folder where its shells are to start. The token in it works
          once, within an hour, and is not shown again.
        </p>
        <Copyable
          label="the command"
          text={`BELAY_JOIN_TOKEN=${add.data.token} \\\n  npx belay host --join ${window.location.origin}`}
        />
        <p className="mt-4 text-sm text-muted">Then let agents use it: on the page Agents, under “What it may do”.</p>
      </ResultDialog>
    );
  return (
    <NewNamedDialog
      title="New machine"
      submitLabel="Make a token"
      isPending={add.isPending}
      error={add.error}
      nameField={{
        pattern: "[a-z0-9][a-z0-9._\\-]*",
        title: "Lower-case letters, digits, . _ -",
        hint: "People and agents see it: build-1, gpu, staging.",
      }}
      onSubmit={(name) => add.mutate({ name })}
      onClose={onClose}
    />
  );
}
