import type { AgentId } from "@belay/protocol";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { findAgent, listAgents } from "../store/tables/agents.ts";

/** Whose approval counts for which agent: the policy may exclude the person an agent acts for. */
export interface OwnAgents {
  /** Of these people, those whose approval counts for this agent. */
  whoMayApprove(agentId: AgentId, personIds: readonly string[]): Promise<string[]>;
  /** The agents that this person may only refuse. */
  refuseOnlyFor(personId: string): Promise<AgentId[]>;
}

export function openOwnAgents({ db, policy }: { db: Db; policy: PolicyStore }): OwnAgents {
  const isOwnAllowed = () => policy.settings.approval.ownAgents === "approve";
  return {
    async whoMayApprove(agentId, personIds) {
      const ownerId = isOwnAllowed() ? null : ((await findAgent(db, agentId))?.ownerId ?? null);
      return personIds.filter((id) => id !== ownerId);
    },
    async refuseOnlyFor(personId) {
      if (isOwnAllowed()) return [];
      return (await listAgents(db)).filter(({ ownerId }) => ownerId === personId).map(({ id }) => id);
    },
  };
}
