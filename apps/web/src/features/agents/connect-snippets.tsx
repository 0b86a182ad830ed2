"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Choices } from "@/ui/choices.tsx";
import { Copyable } from "@/ui/copyable.tsx";
import { CLIENTS, type ClientId, snippetFor } from "./snippets.ts";

/** Configuration to paste into a client. Without a token, a placeholder marks its place. */
export function ConnectSnippets({ token }: { token: string | null }) {
  const about = useQuery(useTRPC().gateway.about.queryOptions());
  const [client, setClient] = useState<ClientId>("claude-code");
  if (!about.data) return <p className="text-sm text-muted">Loading the address …</p>;
  const { where, text, note } = snippetFor(client, { url: about.data.url, token: token ?? "TOKEN" });
  return (
    <div className="text-sm">
      <Choices
        legend="Client"
        isLegendHidden
        choices={CLIENTS.map(({ id, name }) => ({ value: id, label: name }))}
        value={client}
        onChange={setClient}
      />
      <p className="mt-3 text-muted">{where}</p>
      <Copyable label="the snippet" text={text} />
      {note && <p className="mt-2 text-xs break-words text-muted">{note}</p>}
    </div>
  );
}
