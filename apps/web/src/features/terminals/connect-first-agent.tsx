"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { Copyable } from "@/ui/copyable.tsx";
import { Field } from "@/ui/field.tsx";

/** The empty state: what to do so that this page fills. */
export function ConnectFirstAgent() {
  const { isAdmin } = useMe();
  const [token, setToken] = useState<string | null>(null);
  const about = useQuery(useTRPC().gateway.about.queryOptions());
  const url = about.data?.url ?? "http://127.0.0.1:7400";
  const header = `Authorization: Bearer ${token ?? "TOKEN"}`;
  return (
    <main className="mx-auto w-full max-w-2xl p-4 sm:p-6 sm:pt-16">
      <h1 className="text-xl font-semibold tracking-tight">No terminals yet</h1>
      <p className="mt-1 text-muted">
        They appear here as soon as an agent runs its first command. It takes two steps to connect one.
      </p>
      <Step number={1} title="Give it a token">
        {isAdmin ? (
          <NewAgent onToken={setToken} />
        ) : (
          <p className="text-muted">An admin creates an agent here, or on the command line:</p>
        )}
        <p className={`mt-3 text-xs text-muted ${isAdmin ? "" : "hidden"}`}>Or on the command line:</p>
        <Copyable label="the command that adds an agent" text="npx belay agent add my-agent --profile standard" />
      </Step>
      <Step number={2} title="Tell its client where Belay is">
        <p className="text-muted">
          {token
            ? "The token is in it. Copy it now: it is not shown again."
            : "Claude Code, with the token in place of TOKEN:"}
        </p>
        <Copyable
          label="the command for Claude Code"
          text={`claude mcp add --transport http belay ${url}/mcp \\\n  --header "${header}"`}
        />
        <p className="mt-4 text-muted">Any other client that speaks MCP over HTTP:</p>
        <Copyable
          label="the settings for other clients"
          text={JSON.stringify(
            {
              mcpServers: { belay: { type: "http", url: `${url}/mcp`, headers: { Authorization: header.slice(15) } } },
            },
            null,
            2,
          )}
        />
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

function NewAgent({ onToken }: { onToken(token: string): void }) {
  const [name, setName] = useState("my-agent");
  const add = useMutation(useTRPC().agents.add.mutationOptions({ onSuccess: ({ token }) => onToken(token) }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ name });
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
        <Button type="submit" disabled={add.isPending || add.isSuccess}>
          {add.isSuccess ? "Created" : "Create it"}
        </Button>
      </div>
      {add.error && (
        <p role="alert" className="mt-2 text-danger">
          {add.error.message}
        </p>
      )}
    </form>
  );
}
