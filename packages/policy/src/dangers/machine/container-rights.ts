import type { Invocation } from "../../language/commands/invocation.ts";
import type { Field } from "../../language/state/values.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { optionValues, parseOptions } from "../../programs/options.ts";

/** Verbs that start something in a container. */
const STARTS: ReadonlySet<string> = new Set("run create exec launch init config".split(" "));
const STRONG_CAPABILITIES: ReadonlySet<string> = new Set("all sys_admin sys_ptrace sys_module".split(" "));
/** Folders of the machine from which a container can take it over. */
const VITAL_FOLDERS: ReadonlySet<string> = new Set("etc root boot dev proc sys".split(" "));

/** The options of `docker run` and its relatives that take a value. */
const OPTIONS = {
  short: "aceghlmpuvw",
  long: [
    ..."add-host annotation attach cap-add cap-drop cgroupns cpus cpu-shares cpuset-cpus device device-cgroup-rule dns entrypoint env env-file".split(
      " ",
    ),
    ..."expose gpus group-add health-cmd hostname ipc isolation label label-file link log-driver log-opt mac-address memory mount name net network".split(
      " ",
    ),
    ..."pid pids-limit platform publish pull restart runtime security-opt shm-size stop-signal storage-opt sysctl tmpfs ulimit user userns uts".split(
      " ",
    ),
    ..."volume volume-driver volumes-from workdir context host config log-level file project-name project-directory profile".split(
      " ",
    ),
  ],
} as const;

/** Whether a container gets the machine's rights: its processes, devices, folders or capabilities. */
export function containerGainsRights(invocation: Invocation): boolean {
  const { program, args } = invocation;
  if (program === "lxc")
    return args.some(({ text }) => STARTS.has(text)) && args.some(({ text }) => text === "security.privileged=true");
  if (mountedSources(invocation).some(isVital)) return true;
  return ownOptions(args).some((parsed) => {
    const values = (...names: readonly string[]) =>
      optionValues(parsed, ...names).map(({ text }) => text.toLowerCase());
    return (
      isTurnedOn(parsed.options.get("--privileged")) ||
      values("--pid", "--userns", "--cgroupns", "--uts").includes("host") ||
      values("--cap-add").some((name) => STRONG_CAPABILITIES.has(name.replace(/^cap_/, ""))) ||
      values("--security-opt").some(isUnconfined) ||
      values("--device").some(isDisk)
    );
  });
}

/** What a container that this starts gets from outside: paths of this machine, and names of volumes. */
export function mountedSources({ args }: Invocation): string[] {
  return ownOptions(args).flatMap((parsed) => [
    ...optionValues(parsed, "-v", "--volume").map(({ text }) => text.split(":")[0] ?? ""),
    ...optionValues(parsed, "--mount").flatMap(({ text }) => mountSources(text)),
  ]);
}

/** The options before the verb that starts a container, and after it. */
function ownOptions(args: readonly Field[]): ReturnType<typeof parseOptions>[] {
  const verbAt = args.findIndex(({ text }) => STARTS.has(text));
  if (verbAt < 0) return [];
  // What follows the image or the container is the command in it.
  const own = parseOptions(args.slice(verbAt + 1), { ...OPTIONS, stopsAtOperand: true });
  return [own, parseOptions(args.slice(0, verbAt), OPTIONS)];
}

/** `--privileged`, and `--privileged=true`. */
function isTurnedOn(values: readonly Field[] | undefined): boolean {
  return values !== undefined && !values.some(({ text }) => text === "false" || text === "0");
}

function isUnconfined(option: string): boolean {
  const [name = "", value] = option.split(/[=:]/);
  return (
    ["seccomp", "apparmor", "systempaths", "label"].includes(name) && ["unconfined", "disable"].includes(value ?? "")
  );
}

/** `type=bind,source=/etc,target=/x` */
function mountSources(text: string): string[] {
  return text.split(",").flatMap((part) => {
    const [name, value] = part.split("=");
    return (name === "source" || name === "src") && value !== undefined ? [value] : [];
  });
}

/** The root, a folder of the system, or the socket that controls all containers. */
function isVital(path: string): boolean {
  const parts = path.startsWith("/")
    ? (resolvePath(path, null) ?? path).split("/").filter((part) => part !== "")
    : ["."];
  const [first, second] = parts;
  if (first === undefined || VITAL_FOLDERS.has(first)) return true;
  if (parts.at(-1) === "docker.sock" || parts.at(-1) === "containerd.sock") return true;
  return (first === "var" && second === "run") || first === "run";
}

function isDisk(device: string): boolean {
  const path = device.split(":")[0] ?? "";
  return ["/dev/sd", "/dev/nvme", "/dev/vd", "/dev/mem", "/dev/dm", "/dev/xvd", "/dev/kmem"].some((start) =>
    path.startsWith(start),
  );
}
