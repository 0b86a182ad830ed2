import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { AgentId, TerminalWall } from "@belay/protocol";
import { z } from "zod";
import { containerAbility } from "./engine/container-ability.ts";
import { type Ability, sandboxAbility } from "./machine.ts";
import { ContainerSpec, type Wall } from "./wall.ts";

const Paths = z.array(z.string());

/** A wall that is not tied to a machine yet: names and patterns, which the machine looks up on its own disk. */
export const WallPlan = z.object({
  shown: TerminalWall,
  container: ContainerSpec.optional(),
  /** Whose wall it is: each agent has a home of its own behind it. */
  agentId: AgentId,
  workspace: z.string(),
  /** Paths that are let in; `~/` is the home of the machine's user. */
  writable: Paths,
  readable: Paths,
  /** Protected names directly in the workspace, with `*`; and those that are reserved even if they do not exist. */
  frozen: Paths,
  reserved: Paths,
  env: z.array(z.string()),
  hosts: z.array(z.string()),
});
export type WallPlan = z.infer<typeof WallPlan>;

interface OwnFiles {
  /** The folder for walls in Belay's data folder. */
  wallsDir: string;
  /** Belay's own folders and files. */
  hidden: readonly string[];
}

/** The wall on this machine. */
export function planToWall(plan: WallPlan, { wallsDir, hidden }: OwnFiles): Wall {
  const workspace = realPath(plan.workspace);
  return {
    shown: plan.shown,
    ...(plan.container && { container: plan.container }),
    writable: [workspace, ...plan.writable.map(inHome)],
    readable: plan.readable.map(inHome),
    frozen: plan.frozen.flatMap((pattern) => matchesIn(workspace, pattern)),
    reserved: plan.reserved.map((path) => `${workspace}/${path}`),
    hidden: hidden.map(realPath),
    home: homeBehindWall(wallsDir, plan.agentId),
    env: plan.env,
    hosts: plan.hosts,
  };
}

/** Whether this machine can build such a wall. */
export function wallAbility({ shown, container }: Pick<WallPlan, "shown" | "container">): Ability {
  return shown.isolation === "container" && container ? containerAbility(container) : sandboxAbility();
}

/** The names in an agent's own home behind its wall, and in its `.config`. Null if they cannot be read. */
export function namesInWallHome(wallsDir: string, agentId: AgentId): string[] | null {
  const home = homeBehindWall(wallsDir, agentId);
  const [names, settingsNames] = [readNames(home), readNames(join(home, ".config"))];
  if (names === null || settingsNames === null) return null;
  return [...names, ...settingsNames.map((name) => `.config/${name}`)];
}

function homeBehindWall(wallsDir: string, agentId: AgentId): string {
  return join(realPath(wallsDir), "homes", agentId);
}

/** The paths that a pattern matches directly below the workspace; deeper ones are protected only by judging commands. */
function matchesIn(workspace: string, pattern: string): string[] {
  const [first = "", ...rest] = pattern.split("/");
  if (!first.includes("*")) return [join(workspace, pattern)];
  const isMatch = new RegExp(`^${first.split("*").map(escapeRegExp).join(".*")}$`);
  // A workspace that cannot be listed: starting a program in it reports that.
  return (readNames(workspace) ?? [])
    .filter((name) => isMatch.test(name))
    .map((name) => join(workspace, name, ...rest));
}

/** None if there is no such folder; null if it cannot be read. */
function readNames(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : null;
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
