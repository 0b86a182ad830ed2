"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Link } from "@/ui/controls/link.tsx";

/** Webhooks, chosen by their names. The policy keeps their ids, which stay the same when one is renamed or moved. */
export function WebhooksField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: readonly string[];
  onChange(value: unknown): void;
}) {
  const webhooks = useQuery(useTRPC().webhooks.names.queryOptions());
  const known = webhooks.data ?? [];
  // A deleted webhook stays in the draft until it is removed there.
  const gone = webhooks.data ? value.filter((id) => !known.some((hook) => hook.id === id)) : [];
  const choices = [...known, ...gone.map((id) => ({ id, name: "removed" }))];
  return (
    <fieldset className="grid">
      <legend className="sr-only">{label}</legend>
      {webhooks.error && <p className="text-sm text-danger">{webhooks.error.message}</p>}
      {webhooks.data && choices.length === 0 && (
        <p className="text-sm text-muted">
          There are no webhooks yet. Add them in the{" "}
          <Link href="/settings" className="text-accent underline underline-offset-4">
            settings
          </Link>
          .
        </p>
      )}
      {choices.map(({ id, name }) => (
        <label key={id} className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={value.includes(id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, id] : value.filter((chosen) => chosen !== id))
            }
          />
          <span className="min-w-0 truncate">{name}</span>
          <code className="font-mono text-xs text-muted">{id}</code>
        </label>
      ))}
    </fieldset>
  );
}
