"use client";

import type { AuditRow } from "@belay/agent-gateway/router";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { usePeople } from "@/features/approvals/use-people.ts";

/** The name of an actor. */
export function useActorName(): (actor: AuditRow["actor"]) => string {
  const agents = useAgents();
  const people = usePeople();
  return (actor) => {
    switch (actor.type) {
      case "agent":
        return agents.nameOf(actor.id);
      case "person":
        return people.nameOf(actor.id);
      case "local":
        return "Command line";
      case "system":
        return "Belay";
    }
  };
}
