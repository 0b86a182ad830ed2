import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CoreError } from "../errors.ts";
import { type LaunchLimits, withProcessLimit } from "../limits/launch-limits.ts";
import { carriedEnv, withCarriedEnv } from "../pty/carried-env.ts";
import { withoutInheritedDescriptors } from "../pty/launcher.ts";
import { openNodePty } from "../pty/node-pty.ts";
import type { Provider } from "../pty/providers.ts";
import { findProgram } from "../shell/shells.ts";
import { canBindDescriptors } from "./bwrap-options.ts";
import { checkMounts } from "./mount-check.ts";
import { enterNamespaceArgs } from "./network/network-namespace.ts";
import { isInside, nameServerMounts, sandboxMounts } from "./sandbox-mounts.ts";
import { seccompFilter } from "./seccomp.ts";
import { ignorePlaceholders } from "./stubs/git-ignore.ts";
import { closeFolders, type HeldFolders, openFolders } from "./stubs/held-folders.ts";
import { Stubs } from "./stubs/stubs.ts";
import { SYSTEM_PATH } from "./system-path.ts";
import type { Wall } from "./wall.ts";
import { descend, walledPty } from "./walled-pty.ts";

const FILTER_DESCRIPTOR = 10;
const FIRST_FOLDER_DESCRIPTOR = 11;

export interface Sandboxed {
  argv: [string, ...string[]];
  /** The environment of the process that builds the sandbox and passes the program's variables on. */
  env: Record<string, string>;
  /** Removes the placeholders in the workspace. */
  release: () => void;
}

export interface SandboxRequest {
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  wall: Wall;
  own: { readable: readonly string[]; writable: readonly string[] };
  /** The process whose network it joins; without one it has its own network, or the machine's. */
  networkPid?: number | undefined;
  limits?: LaunchLimits | undefined;
}

/**
 * Runs programs in a bubblewrap sandbox: separate namespaces, a private file system, no capabilities and no way to gain
 * any. Bubblewrap stays as the first process of the terminal, and everything inside ends with it, including daemons.
 */
export class Bubblewrap {
  readonly #folder: string;
  readonly #stubs: Stubs;

  /** `folder` is Belay's own, for what the sandboxes of this machine share. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#stubs = new Stubs(join(folder, "stubs"));
  }

  /** The provider of terminals. */
  get provider(): Provider {
    return {
      name: "bubblewrap",
      openPty: (options, events) => {
        const { wall } = options;
        if (!wall)
          throw new CoreError("spawn-failed", "The contents of the sandbox were not given. Nothing was started.");
        // A shell takes the foreground itself. Another program would share it with bubblewrap, which Ctrl-C would end.
        const argv = options.isShell ? options.argv : withOwnGroup(options.argv);
        const {
          argv: wrapped,
          env,
          release,
        } = this.wrap({
          argv,
          cwd: options.cwd,
          env: options.env,
          wall: wall.spec,
          own: wall.own,
          networkPid: wall.networkPid,
          limits: options.limits,
        });
        try {
          const pty = openNodePty(
            { ...options, argv: wrapped, env },
            {
              onOutput: events.onOutput,
              onExit: (exitCode) => {
                release();
                events.onExit(exitCode);
              },
            },
          );
          return walledPty(pty, {
            findPid: () => descend(pty.leaderPid, options.isShell ? 2 : 3),
            onReleased: release,
          });
        } catch (error) {
          release();
          throw error;
        }
      },
    };
  }

  /** The arguments that start a program in a sandbox. */
  wrap({ argv, cwd, env, wall, own, networkPid, limits }: SandboxRequest): Sandboxed {
    const bwrapPath = findProgram("bwrap", SYSTEM_PATH);
    const bashPath = findProgram("bash", SYSTEM_PATH);
    if (!bwrapPath || !bashPath) {
      throw new CoreError(
        "spawn-failed",
        "The sandbox needs bubblewrap and bash, which are not installed. Nothing was started.",
      );
    }
    if (![...wall.writable, ...wall.readable, wall.home].some((folder) => isInside(cwd, folder))) {
      throw new CoreError(
        "cwd-not-found",
        `"${cwd}" is outside the sandbox, which has ${wall.writable.join(", ")}. Nothing was started.`,
      );
    }
    mkdirSync(wall.home, { recursive: true, mode: 0o700 });
    const between: HeldFolders = new Map();
    try {
      return this.#wrap({ argv, cwd, env, wall, own, networkPid, limits }, { bwrapPath, bashPath, between });
    } catch (error) {
      closeFolders(between);
      throw error;
    }
  }

  #wrap(
    { argv, cwd, env, wall, own, networkPid, limits }: SandboxRequest,
    { bwrapPath, bashPath, between }: { bwrapPath: string; bashPath: string; between: HeldFolders },
  ): Sandboxed {
    const open: Record<number, string> = { [FILTER_DESCRIPTOR]: this.#filterFile() };
    const mounts = sandboxMounts(wall, {
      own: { readable: own.readable, writable: [wall.home, ...own.writable] },
      isRoot: process.getuid?.() === 0,
      // By descriptor if possible: by path, a link that took the folder's place would be followed, and a missing mount
      // point would be created where it leads.
      ...(canBindDescriptors() && {
        bindBetween: (path) => {
          const descriptor = FIRST_FOLDER_DESCRIPTOR + between.size;
          for (const [folder, held] of openFolders([path])) between.set(folder, held);
          open[descriptor] = `/proc/${process.pid}/fd/${between.get(path)}`;
          return ["--bind-fd", String(descriptor), path];
        },
      }),
    });
    const ignored = ignorePlaceholders(mounts.stubs, { wall, env });
    const hasNetwork = wall.shown.network === "host";
    const args = [
      ...NAMESPACES,
      ...(hasNetwork || networkPid !== undefined ? [] : ["--unshare-net"]),
      ...mounts.args.slice(0, -2),
      ...(hasNetwork ? nameServerMounts() : []),
      ...(ignored.mount ? ["--ro-bind", ignored.mount.source, ignored.mount.destination] : []),
      ...mounts.args.slice(-2),
      "--seccomp",
      String(FILTER_DESCRIPTOR),
      "--chdir",
      cwd,
      "--",
      ...withCarriedEnv(withProcessLimit(argv, limits), {
        first: checkMounts({ writable: wall.writable, paths: mounts.guarded }),
      }),
    ];
    const releaseStubs = this.#stubs.hold(mounts.stubs);
    return {
      argv: withoutInheritedDescriptors(inNetworkOf([bwrapPath, ...args], networkPid), {
        bashPath,
        open,
        limits,
      }),
      env: carriedEnv({ ...env, ...ignored.env }),
      release: () => {
        closeFolders(between);
        releaseStubs();
      },
    };
  }

  #filterFile(): string {
    const file = join(this.#folder, "system-calls.bpf");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, seccompFilter(), { mode: 0o600 });
    return file;
  }
}

/** No new session: that would disable job control. The system call filter makes up for it. */
export const NAMESPACES = [
  "--unshare-user",
  "--disable-userns",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--die-with-parent",
  "--cap-drop",
  "ALL",
];

/** Through nsenter, which execs the program. */
function inNetworkOf(argv: [string, ...string[]], networkPid: number | undefined): [string, ...string[]] {
  if (networkPid === undefined) return argv;
  const nsenter = findProgram("nsenter", SYSTEM_PATH);
  if (!nsenter) throw new CoreError("spawn-failed", "nsenter (util-linux) is not installed. Nothing was started.");
  return [nsenter, ...enterNamespaceArgs(networkPid), ...argv];
}

function withOwnGroup(argv: [string, ...string[]]): [string, ...string[]] {
  return ["/bin/bash", "--noprofile", "--norc", "-pc", 'set -m; "$0" "$@"', ...argv];
}
