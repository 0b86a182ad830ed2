"use client";

import type { AgentListEntry } from "@belay/agent-gateway/router";
import type { ReactNode } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { limitWords, wallWords } from "@/features/terminals/wall-words.ts";
import { Badge } from "@/ui/badge.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { AgentActions } from "./agent-actions.tsx";
import { AgentChoices } from "./agent-choices.tsx";
import { AgentPorts } from "./agent-ports.tsx";
import { type AgentState, STATE_WORDS } from "./agent-state.ts";
import { AgentToday } from "./agent-today.tsx";
import { ConnectSnippets } from "./connect-snippets.tsx";

/** One agent: its state, its activity today, its permissions, and how to stop it. */
export function AgentDetail({ agent, state }: { agent: AgentListEntry; state: AgentState }) {
  const { isAdmin, canOperate } = useMe();
  const { words, tone } = STATE_WORDS[state];
  const isActive = state !== "revoked" && state !== "expired";
  return (
    <div className="p-4 sm:p-5">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-base font-semibold tracking-tight break-words">{agent.name}</h2>
        <Badge tone={tone}>{words}</Badge>
      </header>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact name="Id">
          <code className="font-mono text-xs break-all">{agent.id}</code>
        </Fact>
        <Fact name="Added">{formatMoment(agent.createdAt)}</Fact>
        <Fact name="Last call">
          {agent.seenAt === null ? "none since the gateway started" : <Age at={agent.seenAt} suffix=" ago" />}
        </Fact>
        <Fact name="Wall">{wallWords(agent.wall)}</Fact>
        <Fact name="Each terminal">{limitWords(agent.limits)}</Fact>
        {agent.revokedAt !== null && <Fact name="Revoked">{formatMoment(agent.revokedAt)}</Fact>}
      </dl>
      <Part title="Today">
        <AgentToday agentId={agent.id} />
        <p className="mt-2 flex flex-wrap gap-x-4 text-sm">
          <Link
            className="text-accent underline-offset-4 hover:underline"
            href={`/?search=${encodeURIComponent(agent.name)}`}
          >
            Its terminals
          </Link>
        </p>
        {isActive && <AgentPorts agentId={agent.id} />}
      </Part>
      <Part title="What it may do">
        <AgentChoices agent={agent} canChange={isAdmin && agent.revokedAt === null} />
      </Part>
      {isActive && (
        <Part title="Connect its client">
          <p className="mb-2 text-sm text-muted">
            Replace TOKEN with its token. A lost token cannot be shown again, only replaced.
          </p>
          <ConnectSnippets token={null} />
        </Part>
      )}
      {canOperate && agent.revokedAt === null && (
        <Part title="Stop it">
          <AgentActions agent={agent} isFrozen={state === "frozen"} isAdmin={isAdmin} />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
