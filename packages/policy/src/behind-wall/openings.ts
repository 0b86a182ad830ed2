import type { NetworkMode, WallKind, WallOpens } from "@belay/protocol";
import type { JudgeContext } from "../context.ts";
import { couldBeInside } from "../dangers/paths/secret-paths.ts";
import { HOLE } from "../language/state/values.ts";
import { isInside } from "../language/words/paths.ts";
import type { SecuritySettings, TeamRule } from "../settings/schema.ts";
import { openingsOf, ownHostsOf, TOOL_CHAINS } from "../settings/walls/behind-walls.ts";

/** The wall between a program and the machine, as far as it affects a verdict. */
export interface WallContext {
  readonly network: NetworkMode;
  /** Not set if unknown: fewer commands then count as contained. */
  readonly openings?: WallOpenings;
}

/**
 * The parts of the machine and of the network that a wall lets in, and what Belay keeps of deleted files. If this is
 * not set for a wall, only its network mode is known.
 */
export interface WallOpenings extends Readonly<WallOpens> {
  /** The names in the home behind the wall, and in its `.config`: a person may have signed in there. */
  readonly homeNames: readonly string[];
  /** Its shells start with the wall's own variables and no others. A container image may set more. */
  readonly startsPlain: boolean;
  /** The shell's own `rm` moves files to the trash. */
  readonly hasTrash: boolean;
  /** Files of the workspace can be restored to what they were before a command. */
  readonly hasUndo: boolean;
}

/** The wall that a policy puts around a new terminal of a newly added agent. */
export function freshWall(settings: SecuritySettings, isolation: WallKind): WallContext {
  const isSandbox = isolation === "sandbox";
  const keeps = { homeNames: [], startsPlain: isSandbox, hasTrash: isSandbox, hasUndo: settings.undo.enabled };
  return { network: settings.network.mode, openings: { ...openingsOf(settings, isolation), ...keeps } };
}

/** Hosts that a team's own rules allow, including those created by "always allow". `*` stands for any host. */
export function hostsOfRules(rules: readonly TeamRule[]): string[] {
  return rules.filter(mayAllowConnections).map(({ args }) => args?.[0] ?? "*");
}

/** The program name that stands for a connection from behind a wall. */
export const CONNECT = "connect-to";

function mayAllowConnections({ decision, program, pattern }: TeamRule): boolean {
  if (decision !== "allow") return false;
  if (program !== undefined) return [program].flat().includes(CONNECT);
  const [, start] = /^\^([\w-]+)[^|]*$/.exec(pattern ?? "") ?? [];
  return start === undefined || CONNECT.startsWith(start) || start.startsWith(CONNECT);
}

/** Whether any host outside the built-in lists can be reached without approval. */
export function reachesOwnHosts({ hosts }: WallOpenings, { rules, network }: SecuritySettings): boolean {
  return hosts.length > 0 || hostsOfRules(rules).length > 0 || ownHostsOf(network).length > 0;
}

/** Whether programs behind the wall cannot change the path. */
export function isUnchangeable(path: string, { writable }: WallOpenings, context: JudgeContext): boolean {
  return isApart(path, [context.workspace, ...writable], context.home);
}

/** Whether a file cannot be read behind the wall. The home there is a separate one. */
export function isHidden(path: string, openings: WallOpenings, context: JudgeContext): boolean {
  const { readable, writable, homeNames } = openings;
  if (!isApart(path, [context.workspace, ...readable, ...writable, ...TOOL_CHAINS], context.home)) return false;
  if (!isInside(path, context.home)) return HIDDEN.test(path);
  const [name = "", below = ""] = path.slice(context.home.length + 1).split("/");
  if (!isPlain(name)) return false;
  return !homeNames.includes(name) || (name === ".config" && isPlain(below) && !homeNames.includes(`.config/${below}`));
}

/** Other homes, disks, runtime data of services, and files that ordinary users cannot read. */
const HIDDEN =
  /^\/((root|home\/[^/\uE000-\uE002]+|run)\/|dev\/(sd|hd|vd|xvd|nvme|mmcblk|dm-|mapper\/|mem$|kmem$|port$)|etc\/(g?shadow-?$|sudoers|ssl\/private))/;

function isPlain(name: string): boolean {
  return /^[^\uE000-\uE002]+$/.test(name);
}

/** Whether the path is neither in one of these folders nor above one. */
export function isApart(path: string, folders: readonly string[], home: string): boolean {
  if (!path.startsWith("/") || path.includes(HOLE)) return false;
  return folders
    .map((folder) => folder.replace(/^~(?=\/)/, home))
    .every((folder) => !couldBeInside(path, folder) && !couldHold(path, folder));
}

/** Whether a path, with wildcards, could be a folder above this one. */
function couldHold(path: string, folder: string): boolean {
  const steps = path.split("/");
  const wanted = folder.split("/");
  return (
    steps.length <= wanted.length && steps.every((step, at) => /[\uE000-\uE002]/.test(step) || step === wanted[at])
  );
}
