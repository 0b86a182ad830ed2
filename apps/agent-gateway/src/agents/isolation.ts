import type { SecuritySettings } from "@belay/policy";
import type { Isolation } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";

/** The agent's own setting overrides its profile's, which overrides the policy's. */
export function isolationOf(agent: Pick<AgentRow, "isolation" | "profile">, settings: SecuritySettings): Isolation {
  return agent.isolation ?? settings.profiles[agent.profile]?.isolation ?? settings.isolation;
}

/** The provider that runs an agent's programs. A missing one is an error, never a silent fallback. */
export function providerFor(
  agent: Pick<AgentRow, "name" | "isolation" | "profile">,
  settings: SecuritySettings,
): string {
  const isolation = isolationOf(agent, settings);
  if (isolation === "none") return "local";
  throw new GatewayError(
    "isolation-unavailable",
    `"${agent.name}" is to run in isolation (${isolation}), which this machine does not offer. Nothing was started. ` +
      "An admin can set its isolation to none, or install what it takes.",
  );
}
