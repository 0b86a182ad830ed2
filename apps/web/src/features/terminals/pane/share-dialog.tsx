"use client";

import type { TerminalId } from "@belay/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { formatAge } from "../overview/activity.ts";
import { useNow } from "../use-now.ts";

const DURATIONS = [
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "1440", label: "1 day" },
] as const;

/** A link for a person without an account, who can watch only this terminal, until it ends. */
export function ShareDialog({ id, onClose }: { id: TerminalId; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const now = useNow();
  const [minutes, setMinutes] = useState<(typeof DURATIONS)[number]["value"]>("60");
  const links = useQuery(trpc.shares.list.queryOptions({ terminalId: id }));
  const refresh = () => queryClient.invalidateQueries(trpc.shares.list.queryFilter());
  const create = useMutation(trpc.shares.create.mutationOptions({ onSuccess: refresh }));
  const revoke = useMutation(trpc.shares.revoke.mutationOptions({ onSettled: refresh }));
  const problem = create.error ?? revoke.error;
  return (
    <Dialog title="Share this terminal" isOpen onClose={onClose}>
      <p className="mb-4 text-sm text-muted">
        Anyone with the link can watch until it ends, without signing in. They see everything that is printed, and can’t
        type.
      </p>
      <Choices legend="Ends after" choices={DURATIONS} value={minutes} onChange={setMinutes} />
      <Button
        className="mt-4 w-full"
        disabled={create.isPending}
        onClick={() => create.mutate({ terminalId: id, minutes: Number(minutes) })}
      >
        Create a link
      </Button>
      {create.data && (
        <>
          <Copyable label="the link" text={create.data.url} />
          <p className="mt-1 text-xs text-muted">Copy it now: it is not shown again.</p>
        </>
      )}
      <ErrorMessage className="mt-3">{problem?.message}</ErrorMessage>
      {links.data && links.data.length > 0 && (
        <section className="mt-5 border-t border-line pt-3">
          <h3 className="text-xs font-medium text-muted">Links that work now</h3>
          <ul>
            {links.data.map((link) => (
              <li key={link.id} className="flex items-center gap-3 py-1 text-sm">
                <span className="flex-1 tabular-nums">ends in {formatAge(link.expiresAt - now)}</span>
                <Button
                  look="danger-quiet"
                  size="small"
                  disabled={revoke.isPending}
                  onClick={() => revoke.mutate({ id: link.id })}
                >
                  End it now
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
