import { existsSync, lstatSync } from "node:fs";
import { CoreError } from "../errors.ts";
import { carriedEnv, withCarriedEnv } from "../pty/carried-env.ts";
import type { ContainerRequest } from "./container.ts";
import { checkMounts } from "./mount-check.ts";
import { isInside, protectedPlaces, readablePlaces } from "./sandbox-mounts.ts";
import type { GitIgnore } from "./stubs/git-ignore.ts";
import type { ContainerSpec } from "./wall.ts";

/**
 * The keys that detach a person from a container without ending it. Podman can be told to have none. Docker would then
 * use Control-P Control-Q and hold back the first Control-P, which people press to recall their last command.
 */
const DOCKER_DETACH_KEYS = "ctrl-^,ctrl-@,ctrl-^,ctrl-_";

interface EngineOptions {
  spec: ContainerSpec;
  label: string;
  pidFile: string;
  idFile: string;
  gitIgnore?: GitIgnore["mount"];
}

/** The arguments of Podman or Docker. */
export function containerArgs(
  { name, argv, cwd, env, wall, own, networkPid, resources, hasTerminal }: ContainerRequest,
  { spec, label, pidFile, idFile, gitIgnore }: EngineOptions,
): string[] {
  const isPodman = spec.program === "podman";
  const { frozen, between } = protectedPlaces(wall);
  const readable = readablePlaces(wall);
  const guarded = [...readable.inside.filter(existsSync), ...between, ...frozen];
  const bound = [...wall.readable, ...wall.writable];
  const mounts = [
    ...readable.all.filter(existsSync).map((path) => bind(path, "readonly")),
    ...wall.writable.map((path) => bind(path)),
    ...between.map((path) => bind(path)),
    ...frozen.map((path) => bind(path, "readonly")),
    ...wall.hidden.filter((path) => bound.some((root) => isInside(path, root))).flatMap(hide),
    bind(wall.home),
    ...own.writable.map((path) => bind(path)),
    ...own.readable.map((path) => bind(path, "readonly")),
    ...(gitIgnore
      ? [mount("type=bind", `source=${gitIgnore.source}`, `destination=${gitIgnore.destination}`, "readonly")]
      : []),
  ];
  return [
    ...(isPodman && spec.runtime !== null ? ["--runtime", spec.runtime] : []),
    "run",
    "--rm",
    "--interactive",
    ...(hasTerminal ? ["--tty", `--detach-keys=${isPodman ? "" : DOCKER_DETACH_KEYS}`] : []),
    ...(isPodman ? [`--pidfile=${pidFile}`] : []),
    ...(!isPodman && spec.runtime !== null ? ["--runtime", spec.runtime] : []),
    `--cidfile=${idFile}`,
    `--name=${name}`,
    `--label=belay=${label}`,
    "--pull=never",
    // The output is in the terminal's recording; the engine would store it again, without a limit.
    "--log-driver=none",
    // An image may have an entry point that runs instead of the requested program.
    "--entrypoint=",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    `--user=${spec.user ?? `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`}`,
    // Without root, Podman maps users; otherwise the workspace would belong to another user inside.
    ...(isPodman && process.getuid?.() !== 0 ? ["--userns=keep-id"] : []),
    ...(spec.readOnlyRoot ? ["--read-only"] : []),
    // By default Docker does not let programs run from there, but test runners and compilers need that.
    ...["/tmp", "/run", "/var/tmp"].map((path) => `--tmpfs=${path}:exec`),
    ...network(wall.shown.network, networkPid, spec),
    ...limitArgs(resources),
    // Names only: every user of the machine could read the values on a command line.
    ...Object.keys(carriedInto(env)).flatMap((variable) => ["--env", variable]),
    `--env=HOME=${env.HOME ?? wall.home}`,
    ...mounts.flatMap((mount) => ["--mount", mount]),
    `--workdir=${cwd}`,
    spec.image,
    ...withCarriedEnv(argv, { first: checkMounts({ writable: wall.writable, paths: guarded }) }),
  ];
}

/** The program's variables to pass into a container, which has its own PATH and HOME. */
export function carriedInto({ PATH: _, HOME: __, ...env }: Record<string, string>): Record<string, string> {
  const { PATH: ___, ...carried } = carriedEnv(env);
  return carried;
}

function network(
  mode: "none" | "allowlist" | "host",
  networkPid: number | undefined,
  { program }: ContainerSpec,
): string[] {
  if (mode !== "allowlist") return [`--network=${mode}`];
  if (program !== "podman" || networkPid === undefined) {
    throw new CoreError(
      "spawn-failed",
      'A network with a list of hosts needs Podman. Use it, or "network": { "mode": "none" }. Nothing was started.',
    );
  }
  if (process.getuid?.() !== 0) {
    throw new CoreError(
      "spawn-failed",
      'In containers, a network with a list of hosts needs Belay to run as root. Use a sandbox, or "network": { "mode": "none" }. Nothing was started.',
    );
  }
  return [`--network=ns:/proc/${networkPid}/ns/net`];
}

function limitArgs(resources: ContainerRequest["resources"]): string[] {
  const { processes, memoryBytes, cpus, openFiles, fileBytes } = resources ?? {};
  return [
    ...(processes ? [`--pids-limit=${processes}`] : []),
    ...(memoryBytes ? [`--memory=${memoryBytes}b`, `--memory-swap=${memoryBytes}b`] : []),
    ...(cpus ? [`--cpus=${cpus}`] : []),
    // An engine's default may be more than this machine allows.
    `--ulimit=nofile=${openFiles ?? 4096}:${openFiles ?? 4096}`,
    `--ulimit=nproc=${processes ?? 4096}:${processes ?? 4096}`,
    ...(fileBytes ? [`--ulimit=fsize=${fileBytes}:${fileBytes}`] : []),
  ];
}

function bind(path: string, access?: "readonly"): string {
  return mount("type=bind", `source=${path}`, `destination=${path}`, ...(access ? [access] : []));
}

/** Engines read it as a line of comma-separated values, in which a field with a special character is quoted. */
function mount(...fields: string[]): string {
  return fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

function hide(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isDirectory()
    ? [mount("type=tmpfs", `destination=${path}`)]
    : [mount("type=bind", "source=/dev/null", `destination=${path}`, "readonly")];
}
