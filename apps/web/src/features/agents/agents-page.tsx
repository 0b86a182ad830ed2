"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useFrozen } from "@/features/approvals/use-frozen.ts";
import { useListKeys } from "@/features/frame/keys/use-list-keys.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { SelectList } from "@/ui/lists/select-list.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { AgentDetail } from "./agent-detail.tsx";
import { AgentRow } from "./agent-row.tsx";
import { type AgentState, stateOf } from "./agent-state.ts";
import { NewAgentDialog } from "./new-agent-dialog.tsx";

type Shown = "in-use" | "ended" | "all";

/** All agents, and what each may do. */
export function AgentsPage() {
  const trpc = useTRPC();
  const { isAdmin } = useMe();
  const isFrozen = useFrozen();
  const { get, set } = useQueryState();
  const agents = useQuery(trpc.agents.list.queryOptions());
  const [isAdding, setIsAdding] = useState(false);
  const shown = (get("show") ?? "in-use") as Shown;
  const selectedId = get("id");

  const all = (agents.data ?? []).map((agent) => ({ agent, state: stateOf(agent, isFrozen(agent.id), Date.now()) }));
  const matching = all.filter(({ state }) => shown === "all" || isEnded(state) === (shown === "ended"));
  const selected = all.find(({ agent }) => agent.id === selectedId) ?? null;
  const select = (id: string | null) => set({ id });
  useListKeys(
    matching.map(({ agent }) => agent.id),
    selected?.agent.id ?? null,
    (id) => set({ id }, { replaces: true }),
  );

  if (agents.error && !agents.data)
    return <Failure message={agents.error.message} retry={() => void agents.refetch()} />;
  if (!agents.data) return <Loading what="agents" />;
  const ended = all.filter(({ state }) => isEnded(state)).length;
  return (
    <>
      <ListDetail
        title="Agents"
        actions={
          isAdmin && (
            <Button onClick={() => setIsAdding(true)}>
              <Plus aria-hidden className="size-4" /> New agent
            </Button>
          )
        }
        filters={
          ended > 0 && (
            <Choices
              legend="Show"
              isLegendHidden
              choices={[
                { value: "in-use", label: "In use", count: all.length - ended },
                { value: "ended", label: "Revoked or expired", count: ended },
                { value: "all", label: "All", count: all.length },
              ]}
              value={shown}
              onChange={(value) => set({ show: value === "in-use" ? null : value }, { replaces: true })}
            />
          )
        }
        list={
          matching.length === 0 ? (
            <p className="py-16 text-center text-muted">
              {all.length === 0 && isAdmin
                ? "No agents yet. Make one to get its token and the snippet that connects its client."
                : all.length === 0
                  ? "No agents yet. An admin adds them here."
                  : "No agent matches the filter."}
            </p>
          ) : (
            <SelectList label="Agents">
              {matching.map(({ agent, state }) => (
                <AgentRow
                  key={agent.id}
                  agent={agent}
                  state={state}
                  isSelected={agent.id === selected?.agent.id}
                  onSelect={() => select(agent.id)}
                />
              ))}
            </SelectList>
          )
        }
        detail={selected && <AgentDetail key={selected.agent.id} agent={selected.agent} state={selected.state} />}
        detailName={selected ? `Agent ${selected.agent.name}` : "Agent"}
        onBack={() => select(null)}
      />
      {isAdding && <NewAgentDialog onClose={() => setIsAdding(false)} onAdded={select} />}
    </>
  );
}

function isEnded(state: AgentState): boolean {
  return state === "revoked" || state === "expired";
}
