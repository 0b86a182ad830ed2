"use client";

import type { MachineView } from "@belay/agent-gateway/router";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useNow } from "@/features/terminals/use-now.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { loadWords, stateWords } from "./machine-words.ts";

/** One machine: its state, what it is, and how to lock it out. */
export function MachineDetail({ machine, isAdmin }: { machine: MachineView; isAdmin: boolean }) {
  const { name, state, facts, skew, load, openTerminals, seenAt, createdAt } = machine;
  const { words, tone } = stateWords(state, useNow());
  return (
    <div className="p-4 sm:p-5">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-base font-semibold tracking-tight break-words">{name}</h2>
        <Badge tone={tone}>{words}</Badge>
      </header>
      {state.status === "away" && (
        <p className="mt-2 text-sm text-muted">
          Its terminals go on, and nothing that they print is lost. New commands for it fail until it is back.
        </p>
      )}
      {skew !== null && facts && (
        <p role="note" className="mt-2 text-sm text-attention">
          It runs {facts.program}, and the gateway {skew}. Install the gateway's version there.
        </p>
      )}
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact name="Terminals">
          {openTerminals === 0 ? (
            "none open"
          ) : (
            <Link
              className="text-accent underline-offset-4 hover:underline"
              href={`/?machine=${encodeURIComponent(name)}`}
            >
              {openTerminals} open
            </Link>
          )}
        </Fact>
        {load && <Fact name="Load">{loadWords(load)}</Fact>}
        {facts && (
          <>
            <Fact name="Name there">{facts.hostname}</Fact>
            <Fact name="User">{facts.user}</Fact>
            <Fact name="System">{facts.platform}</Fact>
            <Fact name="Version">{facts.program}</Fact>
            <Fact name="Shells start in">
              <code className="font-mono text-xs break-all">{facts.workspace}</code>
            </Fact>
          </>
        )}
        <Fact name="Last seen">{seenAt === null ? "never" : <Age at={seenAt} suffix=" ago" />}</Fact>
        {state.status === "invited" && <Fact name="Token valid until">{formatMoment(state.until)}</Fact>}
        <Fact name="Added">{formatMoment(createdAt)}</Fact>
      </dl>
      {isAdmin && state.status !== "revoked" && <Revoke name={name} />}
    </div>
  );
}

function Revoke({ name }: { name: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useMutation(useTRPC().machines.revoke.mutationOptions({ onSuccess: () => setIsAsking(false) }));
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-medium">Lock it out</h3>
      <p className="mb-3 text-sm text-muted">Its terminals end, and it cannot connect again without a new token.</p>
      <Button look="danger-quiet" size="small" onClick={() => setIsAsking(true)}>
        Revoke
      </Button>
      <Confirm
        title={`Revoke ${name}?`}
        verb="Revoke"
        isOpen={isAsking}
        isBusy={revoke.isPending}
        problem={revoke.error?.message ?? null}
        onConfirm={() => revoke.mutate({ name })}
        onClose={() => setIsAsking(false)}
      >
        Its terminals and everything that runs in them end now.
      </Confirm>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
