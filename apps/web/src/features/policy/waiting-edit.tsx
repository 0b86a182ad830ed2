"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";

/** Says that the policy file was edited outside Belay and is not active yet. An admin reads the diff and decides. */
export function WaitingEdit() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { isAdmin } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const edit = useQuery(trpc.policy.waitingEdit.queryOptions()).data;
  const settle = useMutation(
    trpc.policy.settleEdit.mutationOptions({
      onSuccess: () => setIsOpen(false),
      onSettled: () => queryClient.invalidateQueries(trpc.policy.pathFilter()),
    }),
  );
  if (!edit) return null;
  const decide = (decision: "accept" | "discard") => settle.mutate({ version: edit.version, decision });
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-attention-soft px-4 py-2 text-sm text-attention sm:px-6"
    >
      <span className="flex-1">
        The policy file was edited outside Belay. The edit takes effect once an admin accepts it.
      </span>
      <Button look="quiet" size="small" onClick={() => setIsOpen(true)}>
        Review it
      </Button>
      <Dialog title="An edit of the policy file" isOpen={isOpen} onClose={() => setIsOpen(false)} wide>
        <pre className="max-h-[50dvh] overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 text-ink">
          {edit.diff.split("\n").map(visibleText).join("\n")}
        </pre>
        <ErrorMessage className="mt-3">{settle.error?.message}</ErrorMessage>
        {isAdmin ? (
          <div className="mt-4 flex flex-row-reverse flex-wrap gap-2">
            <Button look="danger" disabled={settle.isPending} onClick={() => decide("accept")}>
              Accept the edit
            </Button>
            <Button look="quiet" disabled={settle.isPending} onClick={() => decide("discard")}>
              Discard the edit
            </Button>
          </div>
        ) : (
          <p className="mt-3 text-sm text-muted">Only an admin can accept or discard it.</p>
        )}
      </Dialog>
    </div>
  );
}
