import { createHash } from "node:crypto";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ResourceLimits } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import type { HeldLimits } from "../limits/resource-limiter.ts";
import { withoutInheritedDescriptors } from "../pty/launcher.ts";
import { openNodePty } from "../pty/node-pty.ts";
import type { Provider } from "../pty/providers.ts";
import { findProgram } from "../shell/shells.ts";
import { containerAccount } from "./account.ts";
import { carriedInto, containerArgs } from "./container-args.ts";
import { ContainerLimits } from "./engine/container-limits.ts";
import { ContainerRecords } from "./engine/container-record.ts";
import { endContainer, endLeftContainers, engineEnv } from "./engine/end-container.ts";
import { protectedPlaces } from "./sandbox-mounts.ts";
import { ignorePlaceholders } from "./stubs/git-ignore.ts";
import { Stubs } from "./stubs/stubs.ts";
import { SYSTEM_PATH } from "./system-path.ts";
import type { Wall } from "./wall.ts";
import { walledPty } from "./walled-pty.ts";

const SETTLE_LIMIT_MS = 5_000;
const LOOK_EVERY_MS = 20;

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
 * is removed by name when the terminal closes, and by its record if a killed process left it behind. The kernel is asked
 * about the container's own processes and its own terminal device.
 */
export class Containers {
  readonly #records: ContainerRecords;
  readonly #stubs: Stubs;
  readonly #label: string;
  /** Those that were started here and are not gone yet. */
  readonly #present = new Set<string>();

  /** `folder` is Belay's own, for what the containers of this machine share. */
  constructor(folder: string) {
    this.#records = new ContainerRecords(folder);
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
            findPid: () => this.#records.readPid(name),
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
    const [pidFile, idFile] = [this.#records.pidFile({ name }), this.#records.idFile({ name })];
    const { stubs } = protectedPlaces(wall);
    const ignored = ignorePlaceholders(stubs, { wall, env: request.env });
    const env = { ...request.env, ...ignored.env };
    const args = containerArgs(
      { ...request, env },
      { spec, label: this.#label, pidFile, idFile, gitIgnore: ignored.mount },
    );
    const release = this.#stubs.hold(stubs);
    const record = this.#records.add({ name, program: spec.program, runtime: spec.runtime });
    this.#present.add(name);
    let isReleased = false;
    return {
      argv: [program, ...args],
      // The engine's own programs are found on the machine's PATH; the container has its own.
      env: { ...carriedInto(env), ...engineEnv() },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        void endContainer(this.#records, record).finally(() => this.#present.delete(name));
        release();
      },
    };
  }

  /**
   * Ends the containers of killed processes: of earlier hosts, and of gateways that ran a single command. Removes their
   * placeholders too, which containers share with sandboxes.
   */
  endLeft(): Promise<void> {
    this.#stubs.removeLeft();
    return endLeftContainers(this.#records);
  }

  /** Resolves when all containers are gone; after a few seconds it leaves the rest to the next process. */
  async settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_LIMIT_MS;
    while (this.#present.size > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }

  /** The limits that the engine enforces for a container. */
  holdLimits(name: string, limits: ResourceLimits): HeldLimits {
    return new ContainerLimits(limits, { readPid: () => this.#records.readPid(name) });
  }
}

function labelOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}
