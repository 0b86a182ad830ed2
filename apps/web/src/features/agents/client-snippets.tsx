"use client";

import {
  connectArguments,
  HookClient,
  ownShellSnippet,
  SNIPPET_CLIENTS,
  type SnippetClient,
  snippetsFor,
} from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Choices } from "@/ui/controls/choices.tsx";
import { Copyable } from "@/ui/controls/copyable.tsx";

/** Configuration to paste into a client. Without a token, a placeholder marks its place. */
export function ClientSnippets({ token }: { token: string | null }) {
  const about = useQuery(useTRPC().gateway.about.queryOptions());
  const [client, setClient] = useState<SnippetClient>("claude");
  if (!about.data) return <p className="text-sm text-muted">Loading the address …</p>;
  const value = token ?? "TOKEN";
  const server = { type: "address", url: `${about.data.url}/mcp`, token: { type: "value", value } } as const;
  const [snippet] = snippetsFor(client, server);
  const known = HookClient.safeParse(client).data;
  const ownShell = known === undefined ? null : ownShellSnippet(known);
  return (
    <div className="text-sm">
      <Choices
        legend="Client"
        isLegendHidden
        choices={SNIPPET_CLIENTS.map(({ id, name }) => ({ value: id, label: name }))}
        value={client}
        onChange={setClient}
      />
      {snippet && (
        <>
          <p className="mt-3 text-muted">
            <WithCode text={snippet.where} />
          </p>
          <Copyable label="the snippet" text={snippet.text} />
          {!snippet.text.includes(value) && (
            <p className="mt-2 text-xs break-words text-muted">The token that it asks for: {value}</p>
          )}
        </>
      )}
      {ownShell && (
        <details className="mt-2 text-xs text-muted">
          <summary className="cursor-pointer">It has its own shell tool: disable it</summary>
          <p className="mt-2">
            <WithCode text={ownShell.where} />
          </p>
          <Copyable label="the setting" text={ownShell.text} />
        </details>
      )}
      {known && (
        <p className="mt-2 text-xs text-muted">
          On the machine where Belay runs, <code>npx belay connect {connectArguments(known)}</code> writes this without
          a token, and a hook that asks before each command of its own shell.
        </p>
      )}
    </div>
  );
}

/** Text between backquotes is a name. */
function WithCode({ text }: { text: string }) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
