import { existsSync, mkdirSync } from "node:fs";
import { checkMounts } from "../walls/mount-check.ts";
import { isInside, kernelSettings, protectedPlaces, sandboxMounts } from "../walls/sandbox-mounts.ts";
import { ignorePlaceholders } from "../walls/stubs/git-ignore.ts";
import type { Wall } from "../walls/wall.ts";
import { BWRAP_DESCRIPTORS, mergedDir, OUT_DIR } from "./layer-script.ts";

export interface PreviewPlace {
  /** Folders with a layer over them. */
  roots: readonly string[];
  /** Those of them that belong to Belay. */
  ownRoots: readonly string[];
  /** Where the layers are mounted. */
  stage: string;
  /** Belay's own folders, which are hidden. */
  hidden: readonly string[];
  /** Paths inside hidden folders that stay readable. */
  readable: readonly string[];
  /** The folder for the program's own notes, as the program sees it. */
  outDir: string;
  cwd: string;
  wall: Wall | null;
}

/**
 * The capabilities that a previewed program keeps as root: those for changing files, and none that reach a device, a
 * mount or another process.
 */
const ROOT_KEEPS = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID"];

export interface PreviewMounts {
  /** The arguments of bubblewrap up to the program. */
  args: string[];
  /**
   * Lines for bash that exit if a link has replaced a folder or file meanwhile. From the same look at the disk as the
   * arguments: a name that is a link in a second look would be mounted but not checked.
   */
  check: string;
  /** Names that do not exist and that the wall reserves. The layer reserves them, too; they are not the command's changes. */
  held: string[];
}

export function previewMounts(place: PreviewPlace): PreviewMounts {
  const { stage, outDir, readable, cwd, wall } = place;
  const isRoot = process.getuid?.() === 0;
  const { args: mounts, check, held } = wall ? walledMounts(place, wall, isRoot) : openMounts(place);
  const args = [
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--clearenv",
    ...rights({ isRoot, isWalled: wall !== null }),
    ...mounts,
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
    "--bind",
    `${stage}/${OUT_DIR}`,
    outDir,
    ...(wall ? ["--remount-ro", "/"] : []),
    "--seccomp",
    String(BWRAP_DESCRIPTORS.filter),
    "--chdir",
    cwd,
  ];
  return { args, check, held };
}

/** Without root, a user namespace was created for mounting; a second one inside restores the user's own ids. */
function rights({ isRoot, isWalled }: { isRoot: boolean; isWalled: boolean }): string[] {
  if (isRoot && !isWalled) return ["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", name])];
  const self = isRoot ? [] : ["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
  return ["--unshare-user", ...self, "--disable-userns", "--cap-drop", "ALL"];
}

/** The whole machine, read-only, with the layers over it. Outer folders first: later mounts cover earlier ones. */
function openMounts({ roots, stage, hidden }: PreviewPlace): PreviewMounts {
  const layers = roots.map((path, at) => ({ path, args: ["--bind", `${stage}/${mergedDir(at)}`, path] }));
  const covers = hidden.map((path) => ({ path, args: ["--tmpfs", path] }));
  const args = [
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    ...kernelSettings(),
    "--dev",
    "/dev",
    // It holds pipes that servers read from: writing to one changes no file, so a read-only mount would allow it.
    "--tmpfs",
    "/run",
    ...[...layers, ...covers].sort((a, b) => depth(a.path) - depth(b.path)).flatMap(({ args }) => args),
  ];
  return { args, check: "", held: [] };
}

/** The mounts of the agent's sandbox, with layers in place of the folders that it may change. */
function walledMounts({ roots, ownRoots, stage }: PreviewPlace, wall: Wall, isRoot: boolean): PreviewMounts {
  mkdirSync(wall.home, { recursive: true, mode: 0o700 });
  const own = { readable: [], writable: [wall.home, ...ownRoots] };
  const missing = wall.reserved.filter((path) => !existsSync(path));
  const mounts = sandboxMounts(
    { ...wall, reserved: wall.reserved.filter((path) => !missing.includes(path)) },
    { own, isRoot, sourceOf },
  );
  const absent = protectedPlaces({ ...wall, frozen: [], reserved: missing });
  const held = absent.stubs.map((stub) => ({ path: stub.replace(/\/$/, ""), isFolder: stub.endsWith("/") }));
  const folders = absent.between.filter((path) => !mounts.between.includes(path));
  // Its variables come from the agent's shell, which has those that name this file.
  const ignored = ignorePlaceholders(protectedPlaces(wall).stubs, { wall, env: {} });
  const args = [
    ...mounts.args.slice(0, -2),
    ...folders.flatMap((path) => ["--bind", sourceOf(path), path]),
    ...held.flatMap(({ path, isFolder }) =>
      isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path],
    ),
    ...(ignored.mount ? ["--ro-bind", ignored.mount.source, ignored.mount.destination] : []),
  ];
  const check = checkMounts({
    writable: wall.writable,
    paths: [...mounts.guarded, ...folders],
    fromDisk: mounts.guarded.filter((path) => !mounts.between.includes(path)),
  });
  return { args, check, held: held.map(({ path }) => path) };

  function sourceOf(path: string): string {
    const at = roots.findLastIndex((root) => isInside(path, root));
    const root = roots[at];
    return root === undefined ? path : `${stage}/${mergedDir(at)}${path.slice(root.length)}`;
  }
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
