import { closeSync, constants, opendirSync, openSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { AgentId, TerminalWall } from "@belay/protocol";
import { z } from "zod";
import { CoreError } from "../errors.ts";
import { containerAbility } from "./engine/container-ability.ts";
import { type Ability, sandboxAbility } from "./machine.ts";
import { ContainerSpec, type Wall } from "./wall.ts";

const Paths = z.array(z.string());
/** Each of them is a mount, and bubblewrap takes seconds to make many. */
const MAX_MATCHES = 256;
/** A home with more is not looked through for every command. */
const MAX_HOME_NAMES = 4_096;

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
    frozen: protectedIn(workspace, plan.frozen),
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

/** The protected paths directly below the workspace; deeper ones are protected only by judging commands. */
function protectedIn(workspace: string, paths: readonly string[]): string[] {
  const isPattern = (path: string) => path.replace(/\/.*/s, "").includes("*");
  const named = paths.filter((path) => !isPattern(path)).map((path) => join(workspace, path));
  const matched = matchesIn(workspace, paths.filter(isPattern));
  if (matched.length <= MAX_MATCHES) return [...named, ...matched];
  throw new CoreError(
    "spawn-failed",
    `The workspace has more than ${MAX_MATCHES} protected files directly in it, such as "${matched[0]}", which is more than a wall can hold. Nothing was started. Remove some of them, or let protectedPaths in security.json match fewer.`,
  );
}

function matchesIn(workspace: string, patterns: readonly string[]): string[] {
  // Listed once for all patterns: there may be a hundred thousand names.
  const names = patterns.length === 0 ? [] : listNames(workspace);
  return patterns.flatMap((pattern) => {
    const [first = "", ...rest] = pattern.split("/");
    // A name may contain a line break.
    const isMatch = new RegExp(`^${first.split("*").map(escapeRegExp).join(".*")}$`, "s");
    return names.filter((name) => isMatch.test(name)).map((name) => join(workspace, name, ...rest));
  });
}

/** None for a workspace that cannot be listed: starting a program in it reports that. */
function listNames(workspace: string): string[] {
  try {
    return readdirSync(workspace);
  } catch {
    return [];
  }
}

/**
 * None if there is no such folder; null if it cannot be read, and if it has more names than a home has. It belongs to
 * an agent: behind the wall, a link in its place leads elsewhere than here.
 */
function readNames(folder: string): string[] | null {
  let descriptor: number;
  try {
    descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : null;
  }
  const opened = opendirSync(`/proc/self/fd/${descriptor}`);
  try {
    const names: string[] = [];
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (names.push(entry.name) > MAX_HOME_NAMES) return null;
    }
    return names;
  } finally {
    opened.closeSync();
    closeSync(descriptor);
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
