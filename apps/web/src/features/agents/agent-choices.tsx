"use client";

import type { AgentListEntry } from "@belay/agent-gateway/router";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { usePeople } from "@/features/approvals/use-people.ts";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { AgentFields, choicesOf, formOf } from "./agent-fields.tsx";

/** Profile, isolation, limits, expiry and workspace: read-only, and editable for admins. */
export function AgentChoices({ agent, canChange }: { agent: AgentListEntry; canChange: boolean }) {
  const people = usePeople();
  const [form, setForm] = useState<ReturnType<typeof formOf> | null>(null);
  const update = useMutation(
    useTRPC().agents.update.mutationOptions({
      onSuccess: () => {
        setForm(null);
        toast(`${agent.name} is changed. This applies from its next command on.`);
      },
    }),
  );
  if (form)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ name: agent.name, ...choicesOf(form) });
        }}
      >
        <AgentFields form={form} onChange={(changes) => setForm((before) => before && { ...before, ...changes })} />
        <ErrorMessage className="mt-3">{update.error?.message}</ErrorMessage>
        <div className="mt-4 flex gap-2">
          <Button type="submit" disabled={update.isPending}>
            Save
          </Button>
          <Button look="quiet" onClick={() => setForm(null)}>
            Cancel
          </Button>
        </div>
      </form>
    );
  const facts = [
    ["Profile", agent.profile],
    ["Isolation", agent.isolation ?? "set by the profile"],
    ["Terminals at most", agent.maxTerminals === null ? "set by the policy" : String(agent.maxTerminals)],
    ["Token expires", agent.expiresAt === null ? "never" : formatMoment(agent.expiresAt)],
    ["Workspace", agent.workspace ?? "the gateway’s own"],
    ["Machines", agent.machines.replaceAll(",", ", ")],
    ["Acts for", agent.ownerId === null ? "No owner" : people.nameOf(agent.ownerId)],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {canChange && (
        <Button look="quiet" size="small" className="mt-3" onClick={() => setForm(formOf(agent))}>
          Change
        </Button>
      )}
    </>
  );
}
