"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ConnectSnippets } from "@/features/agents/connect-snippets.tsx";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { Field } from "@/ui/controls/field.tsx";

/** The empty state: how to connect the first agent. */
export function ConnectFirstAgent() {
  const { isAdmin } = useMe();
  const trpc = useTRPC();
  const [token, setToken] = useState<string | null>(null);
  const agents = useQuery(trpc.agents.list.queryOptions());
  const known = agents.data?.map(({ name }) => name) ?? [];
  const connected = agents.data?.filter(({ seenAt }) => seenAt !== null).map(({ name }) => name) ?? [];
  return (
    <main className="mx-auto w-full max-w-2xl p-4 sm:p-6 sm:pt-16">
      <h1 className="text-xl font-semibold tracking-tight">No terminals yet</h1>
      <p className="mt-1 text-muted">
        They appear here when an agent runs its first command.
        {agents.data?.length === 0 && " Two steps connect one."}
      </p>
      {connected.length > 0 && (
        <p role="status" className="mt-4 rounded-lg border border-line bg-accent-soft px-4 py-3 text-sm">
          <span className="font-medium">{connected.join(", ")}</span>: connected, waiting for its first command.
        </p>
      )}
      {known.length > connected.length && (
        <p className="mt-4 text-sm text-muted">
          Not connected yet: {known.filter((name) => !connected.includes(name)).join(", ")}. Step 2 shows how.
        </p>
      )}
      {known.length > 0 && token === null && <p className="mt-10 font-medium">Connect another agent</p>}
      <Step number={1} title="Give it a token">
        {isAdmin ? (
          <NewAgent onToken={setToken} known={known} />
        ) : (
          <p className="text-muted">An admin creates an agent here, or on the command line:</p>
        )}
        <p className={`mt-3 text-xs text-muted ${isAdmin ? "" : "hidden"}`}>Or on the command line:</p>
        <Copyable label="the command that adds an agent" text="npx belay agent add my-agent --profile standard" />
      </Step>
      <Step number={2} title="Connect its client">
        <p className="mb-3 text-muted">
          {token ? "It contains the token. Copy it now: it is not shown again." : "Replace TOKEN with the token:"}
        </p>
        <ConnectSnippets token={token} />
      </Step>
    </main>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="mt-8 text-sm">
      <h2 className="mb-2 flex items-center gap-2.5 font-medium">
        <span className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent">
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}

function NewAgent({ onToken, known }: { onToken(token: string): void; known: readonly string[] }) {
  const trpc = useTRPC();
  const [name, setName] = useState("my-agent");
  const onSuccess = ({ token }: { token: string }) => onToken(token);
  const add = useMutation(trpc.agents.add.mutationOptions({ onSuccess }));
  const renew = useMutation(trpc.agents.renewToken.mutationOptions({ onSuccess }));
  // If the name is taken, it is most likely the agent whose token was lost.
  const isKnown = known.includes(name.trim());
  const make = isKnown ? renew : add;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate({ name: name.trim() });
      }}
    >
      <div className="flex items-end gap-2">
        <Field
          label="Name of the agent"
          className="flex-1"
          required
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={make.isPending}>
          {isKnown ? "Make a new token" : "Create"}
        </Button>
      </div>
      {isKnown && !make.isSuccess && (
        <p className="mt-2 text-muted">This agent exists. A new token replaces the one it has.</p>
      )}
      {make.error && (
        <p role="alert" className="mt-2 text-danger">
          {make.error.message}
        </p>
      )}
    </form>
  );
}
