import { userInfo } from "node:os";
import { type Ability, accountAbility, containerAbility, limitAbilities, sandboxAbility } from "@belay/core";
import type { SecuritySettings } from "@belay/policy";
import type { Isolation, TerminalWall } from "@belay/protocol";
import { OWN_MACHINE, worksHere } from "../machines/own-machine.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { isChosenByMachine, isolationElsewhere, isolationOf, providerFor } from "./isolation.ts";

export interface Examined {
  id: "sandbox" | "container" | "user" | "limits";
  title: string;
  status: "ready" | "missing";
  /** What is available, or what is wrong. */
  detail: string;
  /** How to get what is missing. */
  fix: string | null;
}

export interface AgentWall {
  id: AgentRow["id"];
  name: string;
  wall: TerminalWall | null;
  /** Why nothing starts for it; null if everything is fine. */
  problem: string | null;
}

export interface HealthReport {
  /** What this machine supports. */
  machine: Examined[];
  /** In one sentence: the wall of a new agent, and how to get a better one. */
  newAgents: string;
  agents: AgentWall[];
}

/** What this machine supports, what is missing and how to get it, and which agents have which wall. */
export function examine(agents: readonly AgentRow[], settings: SecuritySettings): HealthReport {
  return {
    machine: [examineSandbox(sandboxAbility()), examineContainers(settings), examineUser(settings), examineLimits()],
    newAgents: describeNewAgents(settings),
    agents: agents
      .filter(({ revokedAt }) => revokedAt === null)
      .map((agent) => ({
        id: agent.id,
        name: agent.name,
        wall: wallOf(agent, settings),
        problem: worksHere(agent) ? problemOf(agent, settings) : null,
      })),
  };
}

/** The wall of an agent as shown to people; null if there is none. One that only uses other machines has it there. */
export function wallOf(
  agent: Pick<AgentRow, "isolation" | "profile" | "machines">,
  settings: SecuritySettings,
): TerminalWall | null {
  const isolation = (worksHere(agent) ? isolationOf : isolationElsewhere)(agent, settings);
  return isolation === "none" ? null : { isolation, network: settings.network.mode };
}

/** One sentence for the start and for the health page. */
export function describeNewAgents(settings: SecuritySettings): string {
  const agent = { name: "a new agent", isolation: null, profile: settings.defaultProfile, machines: OWN_MACHINE };
  const wall = wallOf(agent, settings);
  const problem = problemOf(agent, settings);
  if (problem !== null) return problem;
  if (wall) {
    const why = isChosenByMachine(agent, settings) ? ", the strongest wall of this machine" : "";
    return `New agents work in a ${wall.isolation}${why}, network ${wall.network}.`;
  }
  const ability = sandboxAbility();
  const way =
    ability.status === "ready"
      ? 'This machine can make sandboxes: "isolation": "auto" in security.json gives new agents one.'
      : `${ability.reason} ${ability.fix}`;
  return `New agents have no wall: their programs have the rights of ${settings.runAs ?? userInfo().username}. ${way}`;
}

function problemOf(agent: Pick<AgentRow, "name" | "isolation" | "profile">, settings: SecuritySettings): string | null {
  try {
    providerFor(agent, settings);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function examineSandbox(ability: Ability): Examined {
  const title = `${named("sandbox")} (bubblewrap)`;
  return ability.status === "ready"
    ? { id: "sandbox", title, status: "ready", detail: `Bubblewrap ${ability.version}.`, fix: null }
    : { id: "sandbox", title, status: "missing", detail: ability.reason, fix: ability.fix };
}

function examineContainers({ container }: SecuritySettings): Examined {
  const title = `${named("container")} (${container.program})`;
  const ability = containerAbility(container);
  return ability.status === "ready"
    ? {
        id: "container",
        title,
        status: "ready",
        detail: `Version ${ability.version}, image ${container.image}.`,
        fix: null,
      }
    : { id: "container", title, status: "missing", detail: ability.reason, fix: ability.fix };
}

function examineUser({ runAs }: SecuritySettings): Examined {
  const { username, uid } = userInfo();
  const title = "A separate user";
  if (runAs !== null) {
    const ability = accountAbility(runAs);
    return ability.status === "ready"
      ? { id: "user", title, status: "ready", detail: `Terminals without a wall run as ${runAs}.`, fix: null }
      : { id: "user", title, status: "missing", detail: ability.reason, fix: ability.fix };
  }
  if (uid !== 0) return { id: "user", title, status: "ready", detail: `Belay runs as ${username}.`, fix: null };
  return {
    id: "user",
    title,
    status: "missing",
    detail: "Belay runs as root, and so do its terminals.",
    fix: 'Run it as a separate user, or give terminals one: "runAs": "NAME" in security.json.',
  };
}

const LIMIT_NAMES = {
  processes: "processes",
  memoryBytes: "memory",
  cpus: "processors",
  openFiles: "open files",
  fileBytes: "file size",
  recordingBytes: "recordings",
} as const;

function examineLimits(): Examined {
  const abilities = limitAbilities();
  const named = (holds: string) =>
    abilities.flatMap((ability) => (ability.holds === holds ? [LIMIT_NAMES[ability.limit]] : [])).join(", ");
  const weak = abilities.some(
    ({ limit, holds }) => holds === "not" || (limit === "memoryBytes" && holds === "process"),
  );
  const parts = [
    ["terminal", "for each terminal"],
    ["process", "for each process alone"],
    ["sandbox", "in a sandbox alone"],
    ["not", "not limited"],
  ] as const;
  const detail = parts
    .flatMap(([holds, words]) => (named(holds) === "" ? [] : [`${words}: ${named(holds)}`]))
    .join("; ");
  return {
    id: "limits",
    title: "Limits on terminals",
    status: weak ? "missing" : "ready",
    detail: `${detail[0]?.toUpperCase()}${detail.slice(1)}.`,
    fix: weak
      ? "Give Belay a control group of its own: Delegate=yes and DelegateSubgroup=belay in its systemd unit (systemd 254 or newer)."
      : null,
  };
}

function named(isolation: Isolation): string {
  return isolation[0]?.toUpperCase() + isolation.slice(1);
}
