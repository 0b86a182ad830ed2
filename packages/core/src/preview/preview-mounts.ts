import { existsSync, mkdirSync } from "node:fs";
import { checkMounts } from "../walls/mount-check.ts";
import { isInside, kernelSettings, protectedPlaces, readablePlaces, sandboxMounts } from "../walls/sandbox-mounts.ts";
import type { Wall } from "../walls/wall.ts";
import { BWRAP_DESCRIPTORS, mergedDir, OUT_DIR } from "./layer-script.ts";

export interface PreviewPlace {
  /** Folders with a layer over them. */
  roots: readonly string[];
  /** Those of them that are Belay's own. */
  ownRoots: readonly string[];
  /** Where the layers are mounted. */
  stage: string;
  /** Belay's own, out of sight. */
  hidden: readonly string[];
  /** Inside of what is hidden, and readable all the same. */
  readable: readonly string[];
  /** Where the program finds the place that it may write its own notes to. */
  outDir: string;
  cwd: string;
  wall: Wall | null;
}

/** What a previewed program keeps of root's rights: what changes files needs, and nothing that reaches a device, a mount or another process. */
const ROOT_KEEPS = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID"];

/** The arguments of bubblewrap up to the program. */
export function previewArguments(place: PreviewPlace): string[] {
  const { stage, outDir, readable, cwd, wall } = place;
  const isRoot = process.getuid?.() === 0;
  return [
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--clearenv",
    ...rights({ isRoot, isWalled: wall !== null }),
    ...(wall ? walledMounts(place, wall, isRoot) : openMounts(place)),
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
}

/** Someone else than root has made a user namespace to mount in, and is themselves again in the one inside of it. */
function rights({ isRoot, isWalled }: { isRoot: boolean; isWalled: boolean }): string[] {
  if (isRoot && !isWalled) return ["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", name])];
  const self = isRoot ? [] : ["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
  return ["--unshare-user", ...self, "--disable-userns", "--cap-drop", "ALL"];
}

/** The whole machine, read-only, with the layers in their places. Outer folders come first: later mounts cover earlier ones. */
function openMounts({ roots, stage, hidden }: PreviewPlace): string[] {
  const layers = roots.map((path, at) => ({ path, args: ["--bind", `${stage}/${mergedDir(at)}`, path] }));
  const covers = hidden.map((path) => ({ path, args: ["--tmpfs", path] }));
  return [
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    ...kernelSettings(),
    "--dev",
    "/dev",
    // Pipes that servers read from: to write into one changes no file, so a read-only mount allows it.
    "--tmpfs",
    "/run",
    ...[...layers, ...covers].sort((a, b) => depth(a.path) - depth(b.path)).flatMap(({ args }) => args),
  ];
}

/** What the agent's sandbox has, with the layers in place of what it may change there. */
function walledMounts({ roots, ownRoots, stage }: PreviewPlace, wall: Wall, isRoot: boolean): string[] {
  mkdirSync(wall.home, { recursive: true, mode: 0o700 });
  const own = { readable: [], writable: [wall.home, ...ownRoots] };
  const held = heldNames(wall);
  const present = { ...wall, reserved: wall.reserved.filter((path) => existsSync(path)) };
  const folders = protectedPlaces(wall).between.filter((path) => !protectedPlaces(present).between.includes(path));
  return [
    ...sandboxMounts(present, { own, isRoot, sourceOf }).args.slice(0, -2),
    ...folders.flatMap((path) => ["--bind", sourceOf(path), path]),
    ...held.flatMap(({ path, isFolder }) =>
      isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path],
    ),
  ];

  function sourceOf(path: string): string {
    const at = roots.findLastIndex((root) => isInside(path, root));
    const root = roots[at];
    return root === undefined ? path : `${stage}/${mergedDir(at)}${path.slice(root.length)}`;
  }
}

/** Lines for bash that end it where a link has taken the place of a folder meanwhile. */
export function previewCheck({ wall }: Pick<PreviewPlace, "wall">): string {
  if (!wall) return "";
  const present = { ...wall, reserved: wall.reserved.filter((path) => existsSync(path)) };
  const fromDisk = [...readablePlaces(wall).inside, ...protectedPlaces(present).frozen];
  return checkMounts({ writable: wall.writable, paths: [...protectedPlaces(wall).between, ...fromDisk], fromDisk });
}

/** Names that are not there and that the wall keeps from being made. They are held in the layer, and are no change of the command. */
export function heldNames(wall: Wall): { path: string; isFolder: boolean }[] {
  return protectedPlaces(wall).stubs.flatMap((stub) => {
    const isFolder = stub.endsWith("/");
    const path = isFolder ? stub.slice(0, -1) : stub;
    return existsSync(path) ? [] : [{ path, isFolder }];
  });
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
