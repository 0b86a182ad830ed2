import { lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CoreError } from "../errors.ts";
import type { Wall } from "./wall.ts";

/** The system's programs and settings. Paths that are neither here nor in the wall's own lists do not exist inside. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/etc"];

/** Private folders of the sandbox, initially empty and removed with the terminal. */
const PRIVATE = ["/tmp", "/run", "/var", "/var/tmp", "/dev/shm"];

export interface SandboxMounts {
  /** Bubblewrap arguments, in order: later ones cover earlier ones. */
  args: string[];
  /** Names that have to exist before they can be covered. */
  stubs: string[];
  /** Mounts inside of what programs can change. */
  guarded: string[];
  /** Those of them that are folders around protected paths, and stay writable. */
  between: string[];
}

interface MountOptions {
  /** Folders of Belay's that the program works with. */
  own: { readable: readonly string[]; writable: readonly string[] };
  isRoot: boolean;
  /** The folder that is mounted in place of a writable one; by default the folder itself. */
  sourceOf?: (path: string) => string;
  /** The arguments that mount a folder on itself; by default by its path. */
  bindBetween?: (path: string) => string[];
}

/** What a program in the sandbox sees of the file system. */
export function sandboxMounts(
  wall: Wall,
  { own, isRoot, sourceOf = (path) => path, bindBetween = (path) => ["--bind", sourceOf(path), path] }: MountOptions,
): SandboxMounts {
  const { frozen, between, stubs } = protectedPlaces(wall);
  const readable = readablePlaces(wall);
  if (isRoot) waitForAccounts();
  const bound = [...SYSTEM, ...wall.readable, ...wall.writable];
  return {
    args: [
      ...SYSTEM.flatMap(mountSystem),
      ...(isRoot ? maskedOf("/etc") : []),
      "--proc",
      "/proc",
      ...kernelSettings(),
      "--dev",
      "/dev",
      ...PRIVATE.flatMap((path) => ["--tmpfs", path]),
      ...readable.all.flatMap((path) => ["--ro-bind-try", path, path]),
      ...wall.writable.flatMap((path) => ["--bind", sourceOf(path), path]),
      ...between.flatMap(bindBetween),
      ...frozen.flatMap((path) => ["--ro-bind", path, path]),
      ...wall.hidden.filter((path) => bound.some((root) => isInside(path, root))).flatMap(hide),
      ...own.writable.flatMap((path) => ["--bind", sourceOf(path), path]),
      ...own.readable.flatMap((path) => ["--ro-bind", path, path]),
      "--remount-ro",
      "/",
    ],
    stubs,
    guarded: [...readable.inside, ...between, ...frozen],
    between,
  };
}

/** Read-only paths, and which of them are inside a folder that programs can change. There, links are not followed. */
export function readablePlaces({ readable, writable }: Wall): { all: string[]; inside: string[] } {
  const isInner = (path: string) => writable.some((folder) => isInside(path, folder));
  const inside = readable.filter((path) => isInner(path) && isReal(path));
  return { all: [...readable.filter((path) => !isInner(path)), ...inside], inside };
}

function isReal(path: string): boolean {
  try {
    return realpathSync(path) === path;
  } catch {
    return false;
  }
}

export interface ProtectedPlaces {
  /** What is mounted read-only. */
  frozen: string[];
  /** Folders between the workspace and those: as mount points, they cannot be moved aside. */
  between: string[];
  /** Names that have to exist before they can be covered. */
  stubs: string[];
}

/** What stays as it is inside the workspace. */
export function protectedPlaces(wall: Wall): ProtectedPlaces {
  const [workspace = ""] = wall.writable;
  const stubs = wall.reserved.flatMap((path) => placeOf(path, workspace));
  const frozen = unique([...wall.frozen.flatMap((path) => realPlaceOf(path, workspace)), ...stubs.map(withoutSlash)]);
  return { frozen, between: unique(frozen.flatMap((path) => foldersBetween(path, workspace))), stubs };
}

/** The name servers' file is often a link to a path that the sandbox does not have. */
export function nameServerMounts(): string[] {
  try {
    const path = realpathSync("/etc/resolv.conf");
    return isInside(path, "/etc") ? [] : ["--ro-bind", path, path];
  } catch {
    return []; // There is none.
  }
}

function mountSystem(path: string): string[] {
  const found = statOf(path);
  if (!found) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/**
 * The kernel lets root change its settings without any capability, and one of them names a program that the kernel runs
 * as root outside all namespaces (`core_pattern`). Bubblewrap 0.8 leaves them writable, so everything in /proc except
 * the processes is covered read-only.
 */
export function kernelSettings(): string[] {
  // Names only: asking for file types fails if a process ends meanwhile.
  return readdirSync("/proc").flatMap((name) => {
    const path = `/proc/${name}`;
    const found = /^\d+$/.test(name) ? undefined : statOf(path);
    if (!found || found.isSymbolicLink()) return [];
    if (/^(kcore|kmsg|keys)$/.test(name)) return ["--ro-bind", "/dev/null", path];
    const isWritable = found.isDirectory() || (found.mode & 0o222) !== 0;
    return isWritable ? ["--ro-bind", path, path] : [];
  });
}

/** Files that exist while a user account is added or changed. Some have a process id in their name. */
const ACCOUNT_LOCK_FILE = /^(?:passwd|shadow|group|gshadow|subuid|subgid)\.(?:lock|\d+)$/;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 5;
const MAX_PAUSES = 100;

/**
 * Adding a user replaces files in /etc, and bubblewrap fails if a file is replaced while it is being covered. Waits
 * half a second at most.
 */
function waitForAccounts(): void {
  for (let pauses = 0; pauses < MAX_PAUSES; pauses++) {
    if (!readdirSync("/etc").some((name) => ACCOUNT_LOCK_FILE.test(name))) return;
    Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
  }
}

/** Root can read every file, even without capabilities: files that ordinary users cannot read are covered. */
function maskedOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink() || ACCOUNT_LOCK_FILE.test(entry.name)) return [];
    const path = join(folder, entry.name);
    const isForAll = ((statOf(path)?.mode ?? 0) & 0o004) !== 0;
    if (!isForAll) return hide(path);
    return entry.isDirectory() ? maskedOf(path) : [];
  });
}

function hide(path: string): string[] {
  const found = statOf(path);
  if (!found) return [];
  return found.isDirectory() ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

/** What must exist so that this name cannot be created or replaced: its first part that is missing or no folder. */
function placeOf(path: string, workspace: string): string[] {
  const isFolder = path.endsWith("/");
  const parts = relative(workspace, withoutSlash(path)).split("/");
  let at = workspace;
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const isLast = index === parts.length - 1;
    const found = statOf(at);
    if (!found) return part === parts[0] && part === ".git" ? [] : [isLast && !isFolder ? at : `${at}/`];
    if (found.isSymbolicLink()) {
      throw new CoreError(
        "spawn-failed",
        `"${at}" is a link, and a wall cannot keep a link from being replaced. Nothing was started. Put the file or folder itself there, or remove the name from protectedPaths in security.json.`,
      );
    }
    if (isLast || !found.isDirectory()) return [at];
  }
  return [];
}

/** The target if the name is a link, provided that it is in the workspace: elsewhere it is out of reach anyway. */
function realPlaceOf(path: string, workspace: string): string[] {
  try {
    const real = realpathSync(path);
    return isInside(real, realpathSync(workspace)) && real !== workspace ? [real] : [];
  } catch {
    return [];
  }
}

/** A folder that contains a protected path must not be renamed; a mount point cannot be. */
function foldersBetween(path: string, workspace: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); isInside(at, workspace) && at !== workspace; at = dirname(at)) folders.unshift(at);
  return folders;
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function statOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

const unique = (paths: string[]) => [...new Set(paths)];
const withoutSlash = (path: string) => path.replace(/\/$/, "");
