"use client";

import type { AgentListEntry } from "@belay/agent-gateway/router";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useFreeze } from "@/features/frame/use-freeze.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { TokenOnce } from "./token-once.tsx";

type Act = "release" | "reset" | "renew" | "revoke";

/** Actions on an agent, each with its effect. All but the freeze ask first: an emergency stop must not wait for a confirmation. */
export function AgentActions({
  agent: { id, name },
  isFrozen,
  isAdmin,
}: {
  agent: AgentListEntry;
  isFrozen: boolean;
  isAdmin: boolean;
}) {
  const trpc = useTRPC();
  const [asking, setAsking] = useState<Act | null>(null);
  const close = () => setAsking(null);
  const freeze = useFreeze();
  const release = useMutation(trpc.gateway.release.mutationOptions({ onSuccess: close }));
  const reset = useMutation(
    trpc.agents.reset.mutationOptions({
      onSuccess: ({ endedTerminals, endLater }) => {
        close();
        const later = endLater.length > 0 ? ` Those on ${endLater.join(", ")} end once it is connected again.` : "";
        toast(`${name} is reset; ${endedTerminals} of its terminals ended.${later}`);
      },
    }),
  );
  const revoke = useMutation(trpc.agents.revoke.mutationOptions({ onSuccess: close }));
  const renew = useMutation(trpc.agents.renewToken.mutationOptions({ onSuccess: close }));
  return (
    <div className="grid gap-3">
      <Row
        about={
          isFrozen
            ? "None of its new commands run until it is released."
            : "None of its new commands run from now on. Running ones continue."
        }
      >
        {isFrozen ? (
          <Button look="quiet" size="small" onClick={() => setAsking("release")}>
            Release
          </Button>
        ) : (
          <Button
            look="danger-quiet"
            size="small"
            disabled={freeze.isPending}
            onClick={() => freeze.mutate({ scope: id })}
          >
            Freeze
          </Button>
        )}
      </Row>
      <Row about="Ends its terminals and withdraws its waiting approvals. Its token stays valid.">
        <Button look="danger-quiet" size="small" onClick={() => setAsking("reset")}>
          Reset
        </Button>
      </Row>
      {isAdmin && (
        <>
          <Row about="Replaces its token with a new one.">
            <Button look="danger-quiet" size="small" onClick={() => setAsking("renew")}>
              New token
            </Button>
          </Row>
          <Row about="Its token stops working at once, for good.">
            <Button look="danger-quiet" size="small" onClick={() => setAsking("revoke")}>
              Revoke
            </Button>
          </Row>
        </>
      )}
      <Confirm
        title={`Release ${name}?`}
        verb="Release it"
        look="primary"
        isOpen={asking === "release"}
        isBusy={release.isPending}
        problem={release.error?.message ?? null}
        onConfirm={() => release.mutate({ scope: id })}
        onClose={close}
      >
        <p>What was refused meanwhile doesn’t run by itself. If all agents are frozen, it stays frozen with them.</p>
      </Confirm>
      <Confirm
        title={`Reset ${name}?`}
        verb="Reset it"
        isOpen={asking === "reset"}
        isBusy={reset.isPending}
        problem={reset.error?.message ?? null}
        onConfirm={() => reset.mutate({ name })}
        onClose={close}
      >
        <p>
          Every terminal that it has open ends, with everything running in it, and its waiting approvals are withdrawn.
          Terminals that a person took over stay.
        </p>
      </Confirm>
      <Confirm
        title={`New token for ${name}?`}
        verb="Make a new token"
        isOpen={asking === "renew"}
        isBusy={renew.isPending}
        problem={renew.error?.message ?? null}
        onConfirm={() => renew.mutate({ name })}
        onClose={close}
      >
        <p>Its present token stops working at once. Give its client the new one.</p>
      </Confirm>
      <Confirm
        title={`Revoke ${name}?`}
        verb="Revoke it"
        isOpen={asking === "revoke"}
        isBusy={revoke.isPending}
        problem={revoke.error?.message ?? null}
        onConfirm={() => revoke.mutate({ name })}
        onClose={close}
      >
        <p>
          It cannot connect again, and its waiting approvals are withdrawn. Its terminals stay open so that you can look
          at them; reset it first to end them. This cannot be undone: make a new agent instead.
        </p>
      </Confirm>
      {renew.data && (
        <Dialog title={`${name} has a new token`} isOpen wide onClose={renew.reset}>
          <TokenOnce agentId={id} token={renew.data.token} />
        </Dialog>
      )}
    </div>
  );
}

function Row({ about, children }: { about: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="text-sm text-muted">{about}</p>
      {children}
    </div>
  );
}
