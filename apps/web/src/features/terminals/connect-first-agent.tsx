"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Copyable } from "@/ui/copyable.tsx";

/** The empty state: what to type so that this page fills. */
export function ConnectFirstAgent() {
  const about = useQuery(useTRPC().gateway.about.queryOptions());
  const url = about.data?.url ?? "http://127.0.0.1:7400";
  return (
    <main className="mx-auto w-full max-w-2xl p-6 sm:pt-20">
      <h1 className="text-xl font-semibold tracking-tight">No terminals yet</h1>
      <p className="mt-2 text-sm text-muted">
        They appear here as soon as an agent runs its first command. To connect one:
      </p>
      <h2 className="mt-8 text-sm font-medium">1. Give it a token</h2>
      <Copyable label="the command that adds an agent" text="npx belay agent add my-agent --profile standard" />
      <h2 className="mt-6 text-sm font-medium">2. Tell your client where Belay is</h2>
      <p className="mt-1 text-sm text-muted">Claude Code, with the token in place of TOKEN:</p>
      <Copyable
        label="the command for Claude Code"
        text={`claude mcp add --transport http belay ${url}/mcp \\\n  --header "Authorization: Bearer TOKEN"`}
      />
    </main>
  );
}
