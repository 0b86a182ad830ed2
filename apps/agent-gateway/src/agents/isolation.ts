import { type Ability, type Account, accountAbility, containerAbility, findAccount, sandboxAbility } from "@belay/core";
import type { SecuritySettings } from "@belay/policy";
import type { Isolation, IsolationChoice } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { AgentRow } from "../store/tables/agents.ts";

/** What the machine supports. It is checked each time, which is cheap. */
export interface Machine {
  sandbox: () => Ability;
  container: (settings: SecuritySettings) => Ability;
}

const THIS_MACHINE: Machine = {
  sandbox: sandboxAbility,
  container: ({ container }) => containerAbility(container),
};

type Subject = Pick<AgentRow, "isolation" | "profile">;

/** The agent's own setting overrides its profile's, which overrides the policy's. */
function choiceOf(agent: Subject, settings: SecuritySettings): IsolationChoice {
  return agent.isolation ?? settings.profiles[agent.profile]?.isolation ?? settings.isolation;
}

/** The wall of an agent. Where `auto` finds none, nothing starts for the agent, and it counts as having no wall. */
export function isolationOf(agent: Subject, settings: SecuritySettings, machine = THIS_MACHINE): Isolation {
  const choice = choiceOf(agent, settings);
  return choice === "auto" ? (strongest(machine, settings) ?? "none") : choice;
}

/** The wall of an agent on other machines, which say themselves whether they can build it. There `auto` is a sandbox. */
export function isolationElsewhere(agent: Subject, settings: SecuritySettings): Isolation {
  const choice = choiceOf(agent, settings);
  return choice === "auto" ? "sandbox" : choice;
}

/** Whether the machine chose the wall. */
export function isChosenByMachine(agent: Subject, settings: SecuritySettings): boolean {
  return choiceOf(agent, settings) === "auto";
}

function strongest({ sandbox, container }: Machine, settings: SecuritySettings): Isolation | null {
  if (settings.container.image !== null && container(settings).status === "ready") return "container";
  return sandbox().status === "ready" ? "sandbox" : null;
}

/** The provider that builds each wall. */
export const PROVIDERS = { none: "local", sandbox: "bubblewrap", container: "container" } as const satisfies Record<
  Isolation,
  string
>;
type ProviderName = (typeof PROVIDERS)[Isolation];

/** The provider that runs an agent's programs. A missing one is an error, never a silent fallback. */
export function providerFor(
  agent: Subject & Pick<AgentRow, "name">,
  settings: SecuritySettings,
  machine = THIS_MACHINE,
): ProviderName {
  if (choiceOf(agent, settings) === "auto" && strongest(machine, settings) === null) {
    requireAbility(agent.name, "auto", machine.sandbox());
  }
  const isolation = isolationOf(agent, settings, machine);
  if (isolation === "none") accountFor(agent, settings);
  if (isolation === "sandbox") requireAbility(agent.name, isolation, machine.sandbox());
  if (isolation === "container") requireAbility(agent.name, isolation, machine.container(settings));
  return PROVIDERS[isolation];
}

/** The user whose rights an agent's programs have; null: Belay's own, or those of the wall. */
export function accountFor(agent: Subject & Pick<AgentRow, "name">, settings: SecuritySettings): Account | null {
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

function requireAbility(name: string, isolation: IsolationChoice, ability: Ability): void {
  if (ability.status === "ready") return;
  throw unavailable(name, isolation, ability.reason, ability.fix);
}

function unavailable(name: string, isolation: IsolationChoice, reason: string, fix: string): GatewayError {
  return new GatewayError(
    "isolation-unavailable",
    `"${name}" is to run in isolation (${isolation}), which this machine does not offer: ${reason} Nothing was started. ${fix}`,
  );
}
