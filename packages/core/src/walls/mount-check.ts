import { readFileSync } from "node:fs";
import { CoreError } from "../errors.ts";
import { quote } from "../shell/quote.ts";
import { isInside } from "./sandbox-mounts.ts";

/** Mounts inside a folder that an agent can change. */
export interface GuardedMounts {
  /** The folders that programs may change. */
  writable: readonly string[];
  paths: readonly string[];
  /** Mounts that come from the disk although their folder comes from elsewhere, as in a preview. */
  fromDisk?: readonly string[];
}

/**
 * Lines for bash that exit unless each of these paths is mounted on itself.
 *
 * An agent can replace a folder with a link while its next terminal is being built: after Belay has checked the folder,
 * and before the kernel follows the link. The mount would then be of something outside. So the mounts are checked again
 * behind the wall, before any program of the agent runs there. Only bash builtins are used.
 */
export function checkMounts({ writable, paths, fromDisk = [] }: GuardedMounts): string {
  if (paths.length === 0) return "";
  const mounts = readMounts();
  const wanted = paths.map((path) => {
    const root = writable.filter((folder) => isInside(path, folder)).sort((a, b) => b.length - a.length)[0];
    const [own, around] = [mountOf(mounts, path), root === undefined ? null : mountOf(mounts, root)];
    // Relative to its folder if possible: an engine may have its own names for the disks.
    return root !== undefined && own === around && !fromDisk.includes(path)
      ? { path, within: root, text: encode(path.slice(root.length)) }
      : { path, within: null, text: `${own.device} ${encode(join(own.root, path.slice(own.point.length)))}` };
  });
  const points = [...new Set(wanted.flatMap(({ path, within }) => (within === null ? [path] : [within, path])))];
  const at = (path: string) => `belay_at_${points.indexOf(path)}`;
  return [
    "while read -r belay_x belay_x belay_device belay_root belay_point belay_x; do",
    "case $belay_point in",
    ...points.map((point) => `${quote(encode(point))}) ${at(point)}="$belay_device $belay_root" ;;`),
    "esac",
    "done < /proc/self/mountinfo",
    ...wanted.map(({ path, within, text }) => {
      const expected = within === null ? quote(text) : `"\${${at(within)}%/}"${quote(text)}`;
      return `[[ $${at(path)} == ${expected} ]] || { echo ${quote(CHANGED)} >&2; exit 126; }`;
    }),
    `unset belay_x belay_device belay_root belay_point ${points.map(at).join(" ")}`,
    "",
  ].join("\n");
}

const CHANGED = "The workspace was changed while the wall around it was being built. Nothing was started.";

interface Mount {
  device: string;
  root: string;
  point: string;
}

function readMounts(): Mount[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, , device, root, point] = line.split(" ");
      return device && root && point ? [{ device, root: decode(root), point: decode(point) }] : [];
    });
}

/** The mount that a path is on. Of several at the same place, the last one covers the others. */
function mountOf(mounts: readonly Mount[], path: string): Mount {
  const found = mounts
    .filter(({ point }) => isInside(path, point))
    .reduce<Mount | null>((best, mount) => (best && best.point.length > mount.point.length ? best : mount), null);
  if (!found)
    throw new CoreError("spawn-failed", `The kernel does not say which disk has ${path}. Nothing was started.`);
  return found;
}

const join = (root: string, rest: string) =>
  `${root.replace(/\/$/, "")}${rest === "" || rest.startsWith("/") ? "" : "/"}${rest}` || "/";
/** Escaped the way the kernel writes paths there. */
const encode = (path: string) =>
  path.replaceAll(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
const decode = (path: string) =>
  path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
