"use client";

import type { AgentId } from "@belay/protocol";
import { useTerminals } from "@/features/terminals/overview/use-terminals.ts";
import { Ports } from "@/features/terminals/pane/ports.tsx";

/** What the agent's programs listen on, in any of its terminals behind a wall. */
export function AgentPorts({ agentId }: { agentId: AgentId }) {
  const { views } = useTerminals();
  const walled = views?.filter(({ info }) => info.agentId === agentId && info.wall && info.state.status === "running");
  return walled?.map(({ info }) => <Ports key={info.id} id={info.id} className="mt-2" />);
}
