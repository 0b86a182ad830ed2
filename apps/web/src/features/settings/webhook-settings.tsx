"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { Switch } from "@/ui/controls/switch.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Section } from "./section.tsx";

/** Where Belay announces waiting commands, for admins. */
export function WebhookSettings() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
  const hooks = useQuery(trpc.webhooks.list.queryOptions());
  const passOn = useQuery(trpc.webhooks.passOn.queryOptions());
  const isForLater = (id: string) => passOn.data?.afterMinutes != null && passOn.data.webhooks.includes(id);
  const [removing, setRemoving] = useState<{ id: string; url: string } | null>(null);
  const remove = useMutation(
    trpc.webhooks.remove.mutationOptions({ onSuccess: () => setRemoving(null), onSettled: refresh }),
  );
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: (sent) => toast(sent.ok ? "It arrived." : sent.problem),
      onError: ({ message }) => toast(message),
      onSettled: refresh,
    }),
  );
  return (
    <Section
      title="Webhooks"
      about="Announces every waiting command to Slack, Mattermost, Discord (add /slack to its address) or your own program. Messages are signed, and failed deliveries are retried."
    >
      {hooks.error && <Failure message={hooks.error.message} retry={() => void hooks.refetch()} />}
      {hooks.isPending && <Loading what="webhooks" />}
      {hooks.data?.length === 0 && <p className="text-sm text-muted">No webhooks yet.</p>}
      <ul aria-label="Webhooks" className="grid gap-2">
        {hooks.data?.map((hook) => (
          <li key={hook.id} className="rounded-lg border border-line p-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-48 flex-1">
                {hook.name !== "" && <span className="block text-sm font-medium">{hook.name}</span>}
                <span className="block font-mono text-xs break-all">{shorten(hook.url)}</span>
                {isForLater(hook.id) && (
                  <span className="block text-xs text-muted">
                    hears only of what has been unanswered for {passOn.data?.afterMinutes}{" "}
                    {passOn.data?.afterMinutes === 1 ? "minute" : "minutes"}
                  </span>
                )}
                {!hook.tellsCommand && <span className="block text-xs text-muted">without the command</span>}
              </span>
              <Button look="quiet" size="small" disabled={test.isPending} onClick={() => test.mutate({ id: hook.id })}>
                Send a test
              </Button>
              <Button look="danger-quiet" size="small" onClick={() => setRemoving(hook)}>
                Remove
              </Button>
            </div>
            <Deliveries deliveries={hook.deliveries} />
          </li>
        ))}
      </ul>
      <AddWebhook onAdded={refresh} />
      <Confirm
        title="Remove this webhook?"
        verb="Remove it"
        isOpen={removing !== null}
        isBusy={remove.isPending}
        problem={remove.error?.message ?? null}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
        onClose={() => setRemoving(null)}
      >
        <p>{removing && shorten(removing.url)} will receive no more messages, and its secret is deleted.</p>
      </Confirm>
    </Section>
  );
}

function AddWebhook({ onAdded }: { onAdded(): Promise<void> }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [tellsCommand, setTellsCommand] = useState(true);
  const add = useMutation(
    useTRPC().webhooks.add.mutationOptions({
      onSuccess: () => {
        setName("");
        setUrl("");
        return onAdded();
      },
    }),
  );
  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ name, url, tellsCommand });
      }}
    >
      <Field
        label="Name"
        placeholder="On-call channel"
        maxLength={64}
        className="mb-3"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Address"
        type="url"
        required
        placeholder="https://hooks.slack.com/services/…"
        className="mb-3"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Switch
        label="Include the command"
        hint="Off: only that a command waits, and why."
        isOn={tellsCommand}
        onChange={setTellsCommand}
      />
      <ErrorMessage className="mt-3">{add.error?.message}</ErrorMessage>
      <Button type="submit" className="mt-4" disabled={add.isPending}>
        Add the webhook
      </Button>
      {add.data && (
        <div className="mt-4 text-sm">
          <p>The secret that signs its messages. Copy it now: it is not shown again.</p>
          <Copyable label="the secret" text={add.data.secret} />
        </div>
      )}
    </form>
  );
}

/** The path of such an address is secret: shows only enough of it to tell two apart. */
function shorten(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.length > 12 ? `${pathname.slice(0, 6)}…${pathname.slice(-4)}` : pathname}`;
}
