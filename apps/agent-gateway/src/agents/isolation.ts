import { type Ability, type Account, accountAbility, findAccount, sandboxAbility } from "@belay/core";
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
): "local" | "bubblewrap" {
  const isolation = isolationOf(agent, settings);
  switch (isolation) {
    case "none":
      accountFor(agent, settings);
      return "local";
    case "sandbox":
      return requireAbility(agent.name, isolation, sandboxAbility()) && "bubblewrap";
    case "container":
      throw unavailable(agent.name, isolation, "Belay runs no containers yet.", "Use the isolation sandbox.");
  }
}

/** The user whose rights an agent's programs get; null: Belay's own, or those of the wall. */
export function accountFor(
  agent: Pick<AgentRow, "name" | "isolation" | "profile">,
  settings: SecuritySettings,
): Account | null {
  const { runAs } = settings;
  if (runAs === null || isolationOf(agent, settings) !== "none") return null;
  const ability = accountAbility(runAs);
  const account = ability.status === "ready" ? findAccount(runAs) : null;
  if (account) return account;
  const { reason, fix } = ability.status === "missing" ? ability : { reason: "It is gone.", fix: "" };
  throw new GatewayError(
    "isolation-unavailable",
    `"${agent.name}" is to run as the user "${runAs}", which is not possible: ${reason} Nothing was started. ${fix}`,
  );
}

function requireAbility(name: string, isolation: Isolation, ability: Ability): true {
  if (ability.status === "ready") return true;
  throw unavailable(name, isolation, ability.reason, ability.fix);
}

function unavailable(name: string, isolation: Isolation, reason: string, fix: string): GatewayError {
  return new GatewayError(
    "isolation-unavailable",
    `"${name}" is to run in isolation (${isolation}), which this machine does not offer: ${reason} Nothing was started. ${fix}`,
  );
}
