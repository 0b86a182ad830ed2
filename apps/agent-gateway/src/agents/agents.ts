import { randomBytes } from "node:crypto";
import type { TerminalPool } from "@belay/core";
import { AgentToolSettings, type SecuritySettings, withAgentSettings } from "@belay/policy";
import {
  type Actor,
  type AgentId,
  type CloseReason,
  IsolationChoice,
  type ResourceLimits,
  type TerminalId,
  type TerminalWall,
} from "@belay/protocol";
import type { Approvals } from "../approvals/approvals.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import { OWN_MACHINE, worksHere } from "../machines/own-machine.ts";
import { isAtLeastAsStrict, isStricterWall } from "../policy/only-tightens.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import {
  type AgentRow,
  findAgent,
  findAgentByName,
  findAgentByTokenHash,
  insertAgent,
  listAgents,
  markAgentRevoked,
  updateAgent,
  updateAgentToken,
} from "../store/tables/agents.ts";
import { hashToken } from "../store/tokens.ts";
import { wallOf } from "./doctor.ts";
import { providerFor } from "./isolation.ts";
import { resourceLimitsOf } from "./resource-limits.ts";
import { realFolder } from "./workspaces.ts";

const TOKEN_PREFIX = "blt_";
const NO_TOOL_SETTINGS = "{}";

/** The choices an admin makes for an agent. */
export interface AgentChoices {
  profile: string;
  /** Null: set by the profile. */
  isolation: AgentRow["isolation"];
  /** Null: set by the policy. */
  maxTerminals: number | null;
  /** Null: until it is revoked. */
  expiresAt: number | null;
  /** Where its shells start; null: the gateway's own workspace. */
  workspace: string | null;
  /** The person it acts for; null: no one in particular. */
  ownerId: string | null;
  /** The machines it may use, separated by commas; its shells start on the first. */
  machines: string;
}

export interface AgentOptions {
  profiles: { name: string; description: string }[];
  defaultProfile: string;
  isolations: IsolationChoice[];
  /** The default limit of agents without their own. */
  maxTerminals: number;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  policy: PolicyStore;
  approvals: Approvals;
  terminals: TerminalPool;
  /** Ends the agent's terminals at the other gateways, and returns how many. */
  endTerminalsElsewhere: (id: AgentId) => Promise<number>;
  /** Ends a terminal: now, or as soon as its machine is back. Returns whether it has ended. */
  endTerminal: (id: TerminalId, reason: CloseReason) => Promise<boolean>;
  now: () => number;
}

/** All agents, each authenticated by a token that is shown once. */
export class Agents {
  readonly #deps: Deps;
  /** When each last used its token, since this gateway started. */
  readonly #seenAt = new Map<AgentId, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async add(
    { name, ...chosen }: { name: string } & Partial<AgentChoices>,
    by: Actor,
  ): Promise<AgentRow & { token: string }> {
    const { db, audit, events, now } = this.#deps;
    if (await findAgentByName(db, name)) {
      throw new GatewayError("agent-exists", `An agent "${name}" already exists. Choose another name.`);
    }
    const token = newToken();
    const choices: AgentChoices = {
      profile: this.defaultProfile,
      isolation: null,
      maxTerminals: null,
      expiresAt: null,
      workspace: null,
      machines: OWN_MACHINE,
      // The person who adds an agent usually works with it.
      ownerId: by.type === "person" ? by.id : null,
      ...chosen,
    };
    this.#check({ name, ...choices });
    choices.workspace = await existingFolder(choices.workspace);
    const agent: AgentRow = {
      id: newId("agt"),
      name,
      ...choices,
      toolSettings: NO_TOOL_SETTINGS,
      createdAt: now(),
      revokedAt: null,
    };
    await audit.append({ type: "agent.added", actor: by, detail: { ...agent } });
    await insertAgent(db, { ...agent, tokenHash: hashToken(token) });
    events.publish({ type: "agent", event: "added", agentId: agent.id });
    return { ...agent, token };
  }

  /**
   * Without a person, a script may add only agents with no more rights than the policy's defaults give: the control
   * token is for setting Belay up, and must not loosen the policy.
   */
  requireModest({ profile = this.defaultProfile, isolation, workspace, machines }: Partial<AgentChoices>): void {
    const { settings } = this.#deps.policy;
    const [chosen, usual] = [settings.profiles[profile], settings.profiles[settings.defaultProfile]];
    if (!chosen || !usual) return; // an unknown profile is refused when the agent is added
    const wall = isolation ?? chosen.isolation ?? settings.isolation;
    const usualWall = usual.isolation ?? settings.isolation;
    const beyond = [
      ...(isAtLeastAsStrict(chosen, usual) ? [] : [`the profile "${profile}"`]),
      ...(wall === usualWall || isStricterWall(usualWall, wall) ? [] : [`the isolation "${wall}"`]),
      ...((workspace ?? null) === null ? [] : ["a workspace of its own"]),
      ...((machines ?? OWN_MACHINE) === OWN_MACHINE ? [] : ["other machines"]),
    ];
    if (beyond.length === 0) return;
    throw new GatewayError(
      "needs-a-person",
      `Only an admin adds an agent with ${beyond.join(" and ")}: that is more than the policy's default profile, ` +
        `"${settings.defaultProfile}". Sign in first (belay login EMAIL), add it in the console, or leave that out.`,
    );
  }

  /** The profile of an agent that was added without one. */
  get defaultProfile(): string {
    return this.#deps.policy.settings.defaultProfile;
  }

  async list(): Promise<(AgentRow & { seenAt: number | null; wall: TerminalWall | null; limits: ResourceLimits })[]> {
    const rows = await listAgents(this.#deps.db);
    const { settings } = this.#deps.policy;
    const limits = resourceLimitsOf(settings);
    return rows.map((row) => ({
      ...row,
      seenAt: this.#seenAt.get(row.id) ?? null,
      wall: wallOf(row, settings),
      limits,
    }));
  }

  /** What an admin can choose from; only isolations that this machine supports. */
  options(): AgentOptions {
    const { settings } = this.#deps.policy;
    return {
      profiles: Object.entries(settings.profiles).map(([name, { description }]) => ({ name, description })),
      defaultProfile: settings.defaultProfile,
      isolations: IsolationChoice.options.filter((isolation) =>
        isOffered(() => providerFor({ name: "", profile: settings.defaultProfile, isolation }, settings)),
      ),
      maxTerminals: settings.limits.terminalsPerAgent,
    };
  }

  /** Replaces a lost token; the old one is invalid from now on. */
  async renewToken(name: string, by: Actor): Promise<AgentRow & { token: string }> {
    const { db, audit, events } = this.#deps;
    const agent = await this.find(name);
    const token = newToken();
    await audit.append({ type: "agent.token-renewed", actor: by, detail: { id: agent.id, name } });
    await updateAgentToken(db, agent.id, hashToken(token));
    this.#seenAt.delete(agent.id);
    events.publish({ type: "agent", event: "changed", agentId: agent.id });
    return { ...agent, token };
  }

  async find(name: string): Promise<AgentRow> {
    const agent = await findAgentByName(this.#deps.db, name);
    if (agent) return agent;
    throw new GatewayError("agent-not-found", `No agent "${name}". List the agents to see their names.`);
  }

  /** The current state of the agent: its profile may have changed since the request. A revoked one runs nothing more. */
  async current(id: AgentId): Promise<AgentRow> {
    const agent = await findAgent(this.#deps.db, id);
    if (agent && this.isActive(agent)) return agent;
    throw new GatewayError("bad-token", "This agent was revoked or has expired, so nothing of it runs any more.");
  }

  async update(name: string, changes: Partial<AgentChoices>, by: Actor): Promise<AgentRow> {
    const before = await this.find(name);
    const after = { ...before, ...changes };
    this.#check(after);
    after.workspace = await existingFolder(after.workspace);
    return this.#change(before, after, by);
  }

  /** The agent's own tool settings: applied from its next call on, and kept across restarts (C9). */
  async configure(name: string, settings: AgentToolSettings, by: Actor): Promise<AgentRow> {
    const before = await this.find(name);
    return this.#change(before, { ...before, toolSettings: JSON.stringify(AgentToolSettings.parse(settings)) }, by);
  }

  /** The policy's tool defaults, overridden by this agent's own settings. */
  toolDefaults({ toolSettings }: AgentRow): SecuritySettings["toolDefaults"] {
    const { toolDefaults } = this.#deps.policy.settings;
    // Most agents have none, and every call asks several times.
    if (toolSettings === NO_TOOL_SETTINGS) return toolDefaults;
    return withAgentSettings(toolDefaults, AgentToolSettings.parse(JSON.parse(toolSettings)));
  }

  /**
   * Ends the agent's terminals and withdraws its waiting approvals; its token stays valid (C10).
   * `endLater`: the machines that are away, whose terminals end once they are back.
   */
  async reset(name: string, by: Actor): Promise<{ agent: AgentRow; endedTerminals: number; endLater: string[] }> {
    const { audit, approvals } = this.#deps;
    const agent = await this.find(name);
    await audit.append({ type: "agent.reset", actor: by, detail: { id: agent.id, name } });
    await approvals.withdrawOfAgent(agent.id, "Its agent was reset.");
    const [here, elsewhere] = await Promise.all([this.#endOwn(agent.id), this.#deps.endTerminalsElsewhere(agent.id)]);
    return { agent, endedTerminals: here.ended + elsewhere, endLater: here.later };
  }

  /** Ends the agent's terminals at this gateway, except for those that people have taken over. Returns how many. */
  async endTerminals(id: AgentId): Promise<number> {
    return (await this.#endOwn(id)).ended;
  }

  /** How many ended, and the machines that are away, where the others end later. */
  async #endOwn(agent: AgentId): Promise<{ ended: number; later: string[] }> {
    const { terminals, endTerminal } = this.#deps;
    const own = (await terminals.list()).filter(({ agentId, owner }) => agentId === agent && owner === "agent");
    const ends = own.map(async ({ id, machine }) =>
      (await endTerminal(id, "agent-reset")) ? null : (machine ?? null),
    );
    const later = (await Promise.all(ends)).filter((machine) => machine !== null);
    return { ended: own.length - later.length, later: [...new Set(later)] };
  }

  /** Invalidates the token at once, closes its connections and withdraws its approvals. Terminals stay open for inspection. */
  async revoke(name: string, by: Actor): Promise<AgentRow> {
    const { db, audit, approvals, events, now } = this.#deps;
    const agent = await this.find(name);
    if (agent.revokedAt !== null) return agent;
    await audit.append({ type: "agent.revoked", actor: by, detail: { id: agent.id, name } });
    const revokedAt = now();
    await markAgentRevoked(db, agent.id, revokedAt);
    events.publish({ type: "agent", event: "revoked", agentId: agent.id });
    await approvals.withdrawOfAgent(agent.id, "Its agent was revoked.");
    return { ...agent, revokedAt };
  }

  /** The agent of a token; null for unknown, revoked and expired ones. */
  async authenticate(token: string): Promise<AgentRow | null> {
    if (!token.startsWith(TOKEN_PREFIX)) return null;
    const agent = await findAgentByTokenHash(this.#deps.db, hashToken(token));
    if (!agent || !this.isActive(agent)) return null;
    const isFirst = !this.#seenAt.has(agent.id);
    this.#seenAt.set(agent.id, this.#deps.now());
    if (isFirst) this.#deps.events.publish({ type: "agent", event: "changed", agentId: agent.id });
    return agent;
  }

  isActive({ revokedAt, expiresAt }: AgentRow): boolean {
    return revokedAt === null && (expiresAt === null || expiresAt > this.#deps.now());
  }

  async #change(before: AgentRow, after: AgentRow, by: Actor): Promise<AgentRow> {
    const { db, audit, events } = this.#deps;
    await audit.append({ type: "agent.changed", actor: by, detail: { before: { ...before }, after: { ...after } } });
    await updateAgent(db, after);
    events.publish({ type: "agent", event: "changed", agentId: after.id });
    return after;
  }

  /** Rejects a profile or an isolation that does not exist now, instead of when the agent's first command fails. */
  #check(agent: Pick<AgentRow, "name" | "profile" | "isolation" | "machines">): void {
    const { settings } = this.#deps.policy;
    if (!settings.profiles[agent.profile]) {
      const profiles = Object.entries(settings.profiles)
        .map(([name, { description }]) => (description === "" ? name : `${name} (${description})`))
        .join(", ");
      throw new GatewayError("bad-request", `There is no profile "${agent.profile}". The policy has: ${profiles}.`);
    }
    // Other machines say what they can build when a terminal starts there.
    if (worksHere(agent)) providerFor(agent, settings);
  }
}

/** The real path, because the kernel reports the folders of shells without links. */
async function existingFolder(path: string | null): Promise<string | null> {
  const folder = path === null ? null : await realFolder(path);
  if (path === null || folder !== null) return folder;
  throw new GatewayError("bad-request", `There is no folder "${path}" that could be its workspace.`);
}

function isOffered(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === "isolation-unavailable") return false;
    throw error;
  }
}

function newToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString("base64url");
}
