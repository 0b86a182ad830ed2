import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** What the kernel can limit for a group of processes. */
export const CONTROLLERS = ["pids", "memory", "cpu"] as const;
export type Controller = (typeof CONTROLLERS)[number];

/** A folder in which groups with one controller can be made. */
export interface CgroupPlace {
  version: 1 | 2;
  folder: string;
}

export type CgroupPlaces = Partial<Record<Controller, CgroupPlace>>;

/**
 * In version 2 a group with its own processes cannot have child groups with controllers. So the service
 * manager starts Belay one level down, in a group of this name, and delegates the one above.
 */
const OWN_SUBGROUP = "belay";

interface Place {
  /** The folder in `/proc` of this process. */
  proc?: string;
  /** Finds the groups of this other process instead, under the names that they have in our own namespace. */
  pid?: number | null;
}

/**
 * Where this process may create groups: below its own group, never beside it, so that limits on Belay itself also
 * limit its terminals.
 */
export function findCgroupPlaces({ proc = "/proc/self", pid = null }: Place = {}): CgroupPlaces {
  const own = parseOwn(readText(pid === null ? join(proc, "cgroup") : `/proc/${pid}/cgroup`));
  const places: CgroupPlaces = {};
  for (const mount of parseMounts(readText(join(proc, "mountinfo")))) {
    for (const controller of CONTROLLERS) {
      if (places[controller]) continue;
      const path = own.get(mount.version === 1 ? controller : "");
      if (path === undefined || (mount.version === 1 && !mount.options.includes(controller))) continue;
      const folder = join(mount.at, relative(mount.root, path));
      const found = mount.version === 1 || pid !== null ? folder : delegated(folder, controller);
      if (found !== null && isWritable(found)) places[controller] = { version: mount.version, folder: found };
    }
  }
  return places;
}

/** A group whose children can be limited by this controller; null if there is none. */
function delegated(own: string, controller: Controller): string | null {
  const folder = basename(own) === OWN_SUBGROUP ? dirname(own) : own;
  const file = join(folder, "cgroup.subtree_control");
  const isOn = () => readText(file).split(/\s+/).includes(controller);
  if (isOn()) return folder;
  try {
    writeFileSync(file, `+${controller}`);
  } catch {
    return null; // Not writable, or a group with its own processes.
  }
  return isOn() ? folder : null;
}

/** The path of a process's group by controller; for version 2, the name of the controller is empty. */
function parseOwn(text: string): Map<string, string> {
  const own = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (names !== undefined && path !== undefined) for (const name of names.split(",")) own.set(name, path);
  }
  return own;
}

interface CgroupMount {
  version: 1 | 2;
  root: string;
  at: string;
  options: string[];
}

function parseMounts(text: string): CgroupMount[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", at = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (type !== "cgroup" && type !== "cgroup2") return [];
    return [{ version: type === "cgroup" ? 1 : 2, root, at, options: options.split(",") } satisfies CgroupMount];
  });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Not Linux, or not accessible.
  }
}
