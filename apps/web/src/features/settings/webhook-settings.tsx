"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatAge } from "@/features/terminals/activity.ts";
import { useNow } from "@/features/terminals/use-now.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Copyable } from "@/ui/copyable.tsx";
import { Field } from "@/ui/field.tsx";
import { Switch } from "@/ui/switch.tsx";
import { toast } from "@/ui/toast.tsx";
import { Section } from "./section.tsx";

/** Where Belay sends word of what waits, for admins. */
export function WebhookSettings() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const now = useNow();
  const refresh = () => queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
  const hooks = useQuery(trpc.webhooks.list.queryOptions());
  const remove = useMutation(trpc.webhooks.remove.mutationOptions({ onSettled: refresh }));
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
      about="Tells Slack, Mattermost, Discord (add /slack to its address) or your own program of every command that waits. Messages are signed, and sent again when they don’t arrive."
    >
      <ul className="grid gap-2">
        {hooks.data?.map((hook) => (
          <li key={hook.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line p-3">
            <span className="min-w-48 flex-1">
              <span className="block font-mono text-xs break-all">{shorten(hook.url)}</span>
              <span className={`block text-xs ${hook.last?.problem ? "text-danger" : "text-muted"}`}>
                {hook.last === null
                  ? "nothing sent since the start"
                  : `${hook.last.problem ?? "arrived"}, ${formatAge(now - hook.last.at)} ago`}
                {!hook.tellsCommand && " · without the command"}
              </span>
            </span>
            <Button look="quiet" size="small" disabled={test.isPending} onClick={() => test.mutate({ id: hook.id })}>
              Send a test
            </Button>
            <Button
              look="danger-quiet"
              size="small"
              disabled={remove.isPending}
              onClick={() => remove.mutate({ id: hook.id })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <AddWebhook onAdded={refresh} />
    </Section>
  );
}

function AddWebhook({ onAdded }: { onAdded(): Promise<void> }) {
  const [url, setUrl] = useState("");
  const [tellsCommand, setTellsCommand] = useState(true);
  const add = useMutation(
    useTRPC().webhooks.add.mutationOptions({
      onSuccess: () => {
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
        add.mutate({ url, tellsCommand });
      }}
    >
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
        hint="Off: only that something waits, and why."
        isOn={tellsCommand}
        onChange={setTellsCommand}
      />
      {add.error && (
        <p role="alert" className="mt-3 text-sm text-danger">
          {add.error.message}
        </p>
      )}
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

/** The path of such an address is a key: enough of it to tell two apart. */
function shorten(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.length > 12 ? `${pathname.slice(0, 6)}…${pathname.slice(-4)}` : pathname}`;
}
