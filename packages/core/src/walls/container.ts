import { type ChildProcess, execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ResourceLimits } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { LimitGroup } from "../limits/limit-group.ts";
import { ENDED_BY_FILE_SIZE, type HeldLimits } from "../limits/resource-limiter.ts";
import { withoutInheritedDescriptors } from "../pty/launcher.ts";
import { openNodePty } from "../pty/node-pty.ts";
import type { Provider } from "../pty/providers.ts";
import { findProgram } from "../shell/shells.ts";
import { containerAccount } from "./account.ts";
import { carriedInto, containerArgs } from "./container-args.ts";
import { Stubs } from "./stubs.ts";
import { SYSTEM_PATH } from "./system-path.ts";
import type { ContainerSpec, Wall } from "./wall.ts";
import { walledPty } from "./walled-pty.ts";

export interface ContainerRequest {
  /** Unique on this machine. */
  name: string;
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  wall: Wall;
  own: { readable: readonly string[]; writable: readonly string[] };
  networkPid?: number | undefined;
  resources?: ResourceLimits | undefined;
  hasTerminal: boolean;
}

interface Contained {
  argv: [string, ...string[]];
  /** The environment of the program that starts the container and passes the variables on by name. */
  env: Record<string, string>;
  release: () => void;
}

/**
 * Runs programs in containers, with Podman or Docker.
 *
 * The program that Belay starts only relays bytes. The container belongs to the engine and outlives that program, so it
 * is removed by name when the terminal closes, and by label if a killed host left it behind. The kernel is asked about
 * the container's own processes and its own terminal device.
 */
export class Containers {
  readonly #folder: string;
  readonly #stubs: Stubs;
  readonly #label: string;

  /** `folder` is Belay's own, for what the containers of this machine share. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#stubs = new Stubs(join(folder, "stubs"));
    this.#label = labelOf(folder);
  }

  get provider(): Provider {
    return {
      name: "container",
      openPty: ({ wall, name, ...options }, events) => {
        if (!wall || name === undefined) {
          throw new CoreError("spawn-failed", "A container needs to be told what is in it. Nothing was started.");
        }
        const { argv, env, release } = this.wrap({
          ...options,
          name,
          wall: wall.spec,
          own: wall.own,
          networkPid: wall.networkPid,
          hasTerminal: true,
        });
        const bashPath = findProgram("bash", SYSTEM_PATH);
        if (!bashPath) throw new CoreError("spawn-failed", "bash is not installed. Nothing was started.");
        try {
          const pty = openNodePty(
            { ...options, env, cwd: "/", argv: withoutInheritedDescriptors(argv, { bashPath }) },
            {
              onOutput: events.onOutput,
              onExit: (exitCode) => {
                release();
                events.onExit(exitCode);
              },
            },
          );
          return walledPty(pty, {
            findPid: () => this.#pidOf(name),
            deviceOf: (pid) => `/proc/${pid}/root/dev/pts/0`,
            onReleased: release,
          });
        } catch (error) {
          release();
          throw error;
        }
      },
      holdLimits: (name, limits) => this.holdLimits(name, limits),
    };
  }

  /** The command that runs a program in a container of its own. */
  wrap(request: ContainerRequest): Contained {
    const { wall, name } = request;
    const spec = wall.container;
    if (!spec) throw new CoreError("spawn-failed", "No image is named for containers. Nothing was started.");
    const program = findProgram(spec.program, SYSTEM_PATH);
    if (!program) throw new CoreError("spawn-failed", `${spec.program} is not installed. Nothing was started.`);
    mkdirSync(wall.home, { recursive: true, mode: 0o700 });
    const account = containerAccount({ wall });
    if (account) chownSync(wall.home, account.uid, account.gid);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // Written first: engines are asked for left-over containers only if this file exists.
    writeFileSync(usedFile(this.#folder), "");
    rmSync(this.#pidFile(name), { force: true });
    const { args, stubs } = containerArgs(request, { spec, label: this.#label, pidFile: this.#pidFile(name) });
    const release = this.#stubs.hold(stubs);
    let isReleased = false;
    return {
      argv: [program, ...args],
      // The engine's own programs are found on the machine's PATH; the container has its own.
      env: { ...carriedInto(request.env), ...engineEnv() },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        removeContainer(spec, program, name);
        rmSync(this.#pidFile(name), { force: true });
        release();
      },
    };
  }

  #pidOf(name: string): number | null {
    try {
      return Number(readFileSync(this.#pidFile(name), "utf8")) || null;
    } catch {
      return null; // It has not started yet.
    }
  }

  #pidFile(name: string): string {
    return join(this.#folder, `${name}.pid`);
  }

  /** The engine created the cgroup; here it is only looked up, while the container exists. */
  holdLimits(name: string, limits: ResourceLimits): HeldLimits {
    let group: LimitGroup | null = null;
    const find = () => {
      const pid = this.#pidOf(name);
      if (group === null && pid !== null) group = LimitGroup.around(pid, limits);
      return group;
    };
    return {
      launch: { joinFiles: [], openFiles: null, fileBytes: null, dataBytes: null, processesInside: null },
      takeReached: ({ exitCode, signal }) => {
        const isFileSize = exitCode === ENDED_BY_FILE_SIZE || signal === "SIGXFSZ";
        if (limits.fileBytes !== null && isFileSize) return "file-size";
        return find()?.takeReached() ?? null;
      },
      isFull: () => find()?.isFull ?? false,
      forbidForks: () => find()?.forbidForks(),
      pids: () => find()?.pids ?? [],
      close: () => {},
    };
  }
}

/** Removes containers that a killed process left behind. Call it only while no other process uses this folder. */
export function removeLeftContainers(folder: string): void {
  if (!existsSync(usedFile(folder))) return;
  const options = { encoding: "utf8", env: engineEnv(), timeout: ENGINE_LIMIT_MS } as const;
  let isAllRemoved = true;
  for (const name of ["podman", "docker"] as const) {
    const program = findProgram(name, SYSTEM_PATH);
    if (!program) continue;
    const listed = spawnSync(program, ["ps", "-aq", "--filter", `label=belay=${labelOf(folder)}`], options);
    const ids = (listed.stdout ?? "").split("\n").filter(Boolean);
    const removed = ids.length > 0 ? spawnSync(program, [...REMOVE[name], ...ids], options) : listed;
    isAllRemoved &&= removed.status === 0;
  }
  // Otherwise the next host tries again.
  if (isAllRemoved) rmSync(usedFile(folder), { force: true });
}

/** Exists once a container was started. */
function usedFile(folder: string): string {
  return join(folder, "containers-used");
}

/** An engine that hangs must not keep terminals from starting. */
const ENGINE_LIMIT_MS = 6_000;

/** At once, without a grace period: the terminal is closed. */
const REMOVE = { podman: ["rm", "-f", "-t", "0"], docker: ["rm", "-f"] } as const;

function labelOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}

function removeContainer(spec: ContainerSpec, program: string, name: string): ChildProcess {
  const runtime = spec.runtime === null || spec.program !== "podman" ? [] : ["--runtime", spec.runtime];
  // A container that has ended is already gone, which is not a failure.
  return execFile(program, [...runtime, ...REMOVE[spec.program], name], { env: engineEnv() }, () => {});
}

/** The same for every call, because Podman without root finds its containers through it. */
function engineEnv(): Record<string, string> {
  return { PATH: SYSTEM_PATH, HOME: homedir() };
}
