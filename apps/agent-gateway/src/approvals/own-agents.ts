import type { AgentId } from "@belay/protocol";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { findAgent } from "../store/tables/agents.ts";

/** Of some people, those whose yes counts for an agent: the policy may leave out the one that it acts for. */
export function withoutOwnAgents({ db, policy }: { db: Db; policy: PolicyStore }) {
  return async (agentId: AgentId, personIds: readonly string[]): Promise<string[]> => {
    const isOwnAllowed = policy.settings.approval.ownAgents === "approve";
    const ownerId = isOwnAllowed ? null : ((await findAgent(db, agentId))?.ownerId ?? null);
    return personIds.filter((id) => id !== ownerId);
  };
}
