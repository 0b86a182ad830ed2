import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { accountStartEnv, behindWall, type Wall, wallsDirOf } from "@belay/core";
import { frozenBehindWall, hostsOf, openingsOf } from "@belay/policy";
import type { Settings } from "../env.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { accountFor, isolationOf } from "./isolation.ts";

type Subject = Pick<AgentRow, "id" | "isolation" | "profile" | "workspace">;

/** Determines which parts of this machine an agent's programs see, from the active policy. */
export class Walls {
  readonly #settings: Pick<Settings, "dataDir" | "securityFile" | "workspace">;
  readonly #policy: PolicyStore;

  constructor(deps: { settings: Pick<Settings, "dataDir" | "securityFile" | "workspace">; policy: PolicyStore }) {
    this.#settings = deps.settings;
    this.#policy = deps.policy;
  }

  /** Null if there is no wall. */
  of(agent: Subject): Wall | null {
    const { settings } = this.#policy;
    const isolation = isolationOf(agent, settings);
    if (isolation === "none") return null;
    const { dataDir, securityFile } = this.#settings;
    const workspace = realPath(agent.workspace ?? this.#settings.workspace);
    const { frozen, reserved } = frozenBehindWall(settings.protectedPaths);
    const { readable, writable, env, ...container } = settings.container;
    const lets = isolation === "container" ? { readable, writable, env } : settings.sandbox;
    const { image } = container;
    return {
      shown: { isolation, network: settings.network.mode, opens: openingsOf(settings, isolation) },
      ...(isolation === "container" && image !== null && { container: { ...container, image } }),
      writable: [workspace, ...lets.writable.map(inHome)],
      readable: lets.readable.map(inHome),
      frozen: frozen.flatMap((pattern) => matchesIn(workspace, pattern)),
      reserved: reserved.map((path) => `${workspace}/${path}`),
      hidden: [realPath(dataDir), realPath(securityFile)],
      home: join(realPath(wallsDirOf(dataDir)), "homes", agent.id),
      env: lets.env,
      hosts: hostsOf(settings.network),
    };
  }

  /** The variables of Belay's own environment that its programs get. */
  environmentOf(agent: Subject & Pick<AgentRow, "name">, baseEnv: Record<string, string>): Record<string, string> {
    const wall = this.of(agent);
    if (wall) return behindWall(baseEnv, wall);
    const account = accountFor(agent, this.#policy.settings);
    return account ? accountStartEnv(baseEnv, account) : baseEnv;
  }
}

/** The paths that a pattern matches directly below the workspace; deeper ones are protected only by judging commands. */
function matchesIn(workspace: string, pattern: string): string[] {
  const [first = "", ...rest] = pattern.split("/");
  if (!first.includes("*")) return [join(workspace, pattern)];
  const isMatch = new RegExp(`^${first.split("*").map(escapeRegExp).join(".*")}$`);
  return namesIn(workspace)
    .filter((name) => isMatch.test(name))
    .map((name) => join(workspace, name, ...rest));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It does not exist: starting a program in it reports that.
  }
}

function inHome(path: string): string {
  return path.replace(/^~(?=\/)/, homedir());
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // does not exist yet
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
