import { ANY_ONE, HOLE, hasGlob, STAR } from "../../language/state/values.ts";
import { couldMatchAny } from "../../language/words/glob.ts";
import { isInside, withoutTrailingSlashes } from "../../language/words/paths.ts";

export type PathKind =
  /** `/` itself, or everything in it. */
  | "root"
  /** A directory that the system needs to run, or something inside it. */
  | "system"
  /** A whole home directory. */
  | "home"
  /** A file that controls access rights. */
  | "critical-file"
  /** A disk, or the machine's memory. */
  | "device"
  /** Elsewhere on the machine, where ordinary work does not write. */
  | "elsewhere"
  | "ordinary";

/** Everything below belongs to the system. */
const SYSTEM_TREES = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/proc",
  "/sbin",
  "/sys",
  "/usr",
  "/System",
  "/Library",
];
/** The directory itself and its first level; deeper paths are data. */
const SHALLOW_TREES = [
  "/var",
  "/home",
  "/opt",
  "/root",
  "/srv",
  "/run",
  "/mnt",
  "/media",
  "/snap",
  "/Users",
  "/Applications",
  "/usr/local",
];

const ROOT_NAMES = [...SYSTEM_TREES, ...SHALLOW_TREES];

const CRITICAL =
  /^\/etc\/(?:passwd-?|shadow-?|group-?|gshadow-?|sudoers(?:\.d(?:\/.*)?)?|ld\.so\.(?:preload|conf.*)|pam\.(?:d\/.*|conf)|cron.*|anacrontab|crontab|ssh\/.*|profile(?:\.d\/.*)?|bash\.bashrc|bashrc|zsh\/.*|zshrc|environment|init\.d\/.*|rc.*|inittab|fstab|systemd\/.*|security\/.*|nsswitch\.conf|login\.defs|securetty|hosts(?:\.allow|\.deny)?|resolv\.conf|udev\/.*|apt\/.*|modprobe\.d\/.*|polkit-1\/.*|selinux\/.*|apparmor.*|default\/grub|grub.*|sysctl.*|shells|subuid|subgid|ld-musl.*)$/;
const CRITICAL_TREES = [
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/boot",
  "/usr/bin",
  "/usr/sbin",
  "/usr/lib",
  "/usr/lib64",
  "/usr/libexec",
  "/lib/modules",
  "/sys",
  "/var/spool/cron",
  "/usr/share/keyrings",
  "/root",
];
const CRITICAL_IN_HOME = /\/\.ssh\/(?:authorized_keys2?|rc|environment)$/;
const KERNEL = /^\/proc\/(?:sysrq-trigger|sys\/.*|kcore|kmem|1\/.*|acpi\/.*)$/;

const DISK =
  /^\/dev\/(?:(?:[shv]d|xvd|nvme|mmcblk|loop|dm-|md|sr|ram|nbd|zram|disk|rdisk|fd\d|mapper\/|disk\/|block\/|mem|kmem|port|vg|sg).*)$/;

const EVERYTHING_HIDDEN = new RegExp(`/\\.${ANY_ONE}*${STAR}$`);

export interface ClassifiedPath {
  readonly kind: PathKind;
}

/** The role of an absolute path on the machine. A trailing `*` counts as the directory that it empties. */
export function classifyPath(written: string, home: string): ClassifiedPath {
  // `.*` and `.[!.]*` match all hidden files of a directory.
  const path = hasGlob(written) ? written.replace(EVERYTHING_HIDDEN, `/${STAR}`) : written;
  if (hasGlob(path) && !path.endsWith(`/${STAR}`)) {
    const wild = classifyWildcard(path, home);
    if (wild !== null) return { kind: wild };
  }
  const target = path.endsWith(`/${STAR}`)
    ? path.slice(0, -2) || "/"
    : path.length > 1
      ? withoutTrailingSlashes(path)
      : path;
  if (target === "/" || target === "") return { kind: "root" };
  if (DISK.test(target) && !isInside(target, "/dev/fd")) return { kind: "device" };
  if (KERNEL.test(target) || CRITICAL.test(target) || CRITICAL_IN_HOME.test(target)) return { kind: "critical-file" };
  if (target === home || /^\/(?:home|Users)\/[^/]+$/.test(target) || target === "/root") return { kind: "home" };
  if (CRITICAL_TREES.some((tree) => target !== tree && isInside(target, tree))) return { kind: "critical-file" };
  if (isInside(target, "/usr/local") && target !== "/usr/local") return { kind: "elsewhere" };
  if (SYSTEM_TREES.some((tree) => isInside(target, tree))) return { kind: "system" };
  if (SHALLOW_TREES.some((tree) => target === tree || isChild(target, tree, home))) return { kind: "system" };
  return { kind: target.startsWith("/") && !isInside(target, home) && !isTemporary(target) ? "elsewhere" : "ordinary" };
}

export function isTemporary(path: string): boolean {
  return ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp"].some(
    (directory) => isInside(path, directory) && path !== directory,
  );
}

/** Safe to write to although it is under /dev. */
export function isHarmlessDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/.*|tcp\/.*|udp\/.*|shm\/.*|log)$/.test(
    path,
  );
}

function isChild(path: string, tree: string, home: string): boolean {
  if (!isInside(path, tree) || isInside(path, home) || isTemporary(path)) return false;
  return (
    tree !== "/home" &&
    tree !== "/Users" &&
    !path.slice(tree.length + 1).includes("/") &&
    ["/var", "/root"].includes(tree)
  );
}

/** `/u?r`, `/[a-z]*`: wildcards that can match a system directory. */
function classifyWildcard(path: string, home: string): PathKind | null {
  if (path.includes(HOLE)) return null;
  const [, first = "", ...rest] = path.split("/");
  if (!hasGlob(first)) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    // `/usr/l*`, `~/.*`: a wildcard that can match most of a directory counts as that directory.
    if (/^[.]?$/.test(path.slice(parent.length + 1).replaceAll(STAR, "")))
      return classifyPath(parent === "" ? "/" : parent, home).kind;
    return null;
  }
  return rest.length === 0 && couldMatchAny(`/${first}`, ROOT_NAMES) ? "system" : null;
}
